# frozen_string_literal: true

# Run by test/integration/http_puma_test.rb with one version of Rack: Rack::Lint, before and after the
# Responder, must find no mistake, for all requests and all errors.
require "rack"
require "rack/lint"
require "rack/mock"
require "frugal/rack"

APPS = {
  page: ->(_) { [200, { "content-type" => "text/plain" }, ["page"]] },
  head: ->(env) { [200, { "content-type" => "text/plain" }, env["REQUEST_METHOD"] == "HEAD" ? [] : ["page"]] },
  halt: ->(_) { Frugal.halt(404) },
  unnamed: ->(_) { Frugal.halt(499) },
  body: ->(_) { Frugal.halt(:forbidden, "no", "X-Reason" => "because") },
  cookies: ->(_) { Frugal.halt(401, nil, "Set-Cookie" => %w[a=1 b=2], "Vary" => "Cookie") },
  own_type: ->(_) { Frugal.halt(422, "{}", "Content-Type" => "application/json", "Content-Length" => "99") },
  signal: ->(_) { Frugal.signal(KeyError, "secret") },
  raised: ->(_) { {}.fetch(:secret) }
}.freeze
ACCEPTS = [nil, "*/*", "text/html", "application/json", "\xFF;q=;".b].freeze

seen = APPS.flat_map do |name, app|
  %w[GET HEAD POST OPTIONS].product(ACCEPTS).map do |verb, accept|
    next if verb == "HEAD" && name == :page # this application breaks Rack's rules by itself

    stack = Rack::Lint.new(Frugal::Rack::Responder.new(Rack::Lint.new(app), rescue_responses: { "KeyError" => 404 }))
    env = Rack::MockRequest.env_for("/", method: verb, input: "")
    env["HTTP_ACCEPT"] = accept if accept
    status, headers, body = stack.call(env)
    text = +""
    body.each { |part| text << part }
    body.close if body.respond_to?(:close)
    raise "#{name} #{verb}: #{text}" if text.include?("secret")
    raise "#{name} #{verb}: a body" if verb == "HEAD" && !text.empty?

    raise "#{name} #{verb}: #{headers}" unless headers.key?(Rack.release < "3" ? "Content-Length" : "content-length") || name == :page || name == :head

    headers = headers.transform_keys(&:downcase)
    [name, verb, status, headers["content-length"], headers["set-cookie"]]
  end
end.compact

# The same among middleware that changes responses.
others = APPS.flat_map do |name, app|
  %w[GET HEAD].map do |verb|
    next if verb == "HEAD" && name == :page

    stack = Rack::Builder.app do
      [Rack::Lint, Rack::Head, Rack::ConditionalGet, Rack::ETag, Rack::Deflater, Rack::Runtime, Rack::ContentLength, Rack::Lint].each { |other| use other }
      use Frugal::Rack::Responder, rescue_responses: { "KeyError" => 404 }
      run app
    end
    Rack::MockRequest.new(stack).request(verb, "/", "HTTP_ACCEPT_ENCODING" => "gzip", "HTTP_ACCEPT" => "text/html").status
  end
end.compact

puts others.tally.map { |status, times| "#{status}: #{times}" }.join(" ")
puts Rack.release[/\A\d+/]
puts seen.size
puts seen.map { |name, _, status| [name, status] }.uniq.map { |pair| pair.join(" ") }
puts seen.group_by(&:first).values.map { |rows| rows.map { |row| row[3] }.uniq.size }.inspect # a HEAD has the content-length of its GET
puts seen.filter_map(&:last).uniq.inspect

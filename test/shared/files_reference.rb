# frozen_string_literal: true

require_relative "../support/racks"

# For tests of Frugal::Files on the test's tree, with Rack::Files as the reference.
module FilesReference
  def setup
    skip WebGems::MISSING unless Racks.load
    require "frugal/files"
    require "rack/files"
    super
  end

  def files(**options) = Frugal::Files.new(tree, **options)

  # @return [Array(Integer, Hash, String)] the status, the headers and the complete body, which is closed
  def ask(app, path, verb: "GET", **headers)
    status, headers, body = app.call(env(path, verb, **headers))
    bytes = +"".b
    body.each { |part| bytes << part.b }
    [status, headers, bytes]
  ensure
    body.close if body.respond_to?(:close)
  end

  # @param headers [Hash{Symbol => String}] such as if_none_match: "*"
  def env(path, verb = "GET", **headers)
    { "REQUEST_METHOD" => verb, "PATH_INFO" => path, **headers.to_h { |name, value| ["HTTP_#{name.upcase}", value] } }
  end

  def status(app, path, **headers) = ask(app, path, **headers).first

  # Asserts the same response as stock's, but for the headers that stock does not have.
  def assert_as_stock(path, app: files, **request)
    stock = ask(Rack::Files.new(tree), path, **request)
    status, headers, body = ask(app, path, **request)
    assert_equal stock, [status, headers.except("etag", "vary"), body], "#{path.inspect} #{request}"
  end

  # By default the file is old enough for a strong tag.
  def write(name, content = "", mtime: Time.at(1_700_000_000)) = super
end

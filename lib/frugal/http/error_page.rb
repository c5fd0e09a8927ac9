# frozen_string_literal: true

require_relative "../http"
require_relative "accept"
require_relative "headers"
require_relative "statuses"

module Frugal
  module HTTP
    # Creates the Rack response for an error, in the form that the client's Accept header requests.
    #
    #   ErrorPage.response({ "HTTP_ACCEPT" => "text/html" }, 404)
    #   # => [404, { "content-type" => "text/html; charset=utf-8", "vary" => "Accept", "content-length" => "134" },
    #   #     ["<!DOCTYPE html>…"]]
    #   ErrorPage.response(env, 429, "Later", "retry-after" => "5")   # a given body is sent unchanged
    #
    # Header names are in lower case, or spelled as in Rack 2 if Rack 2 is loaded.
    module ErrorPage
      # The headers and the text of a page. The pages of statuses with a name are created once, and frozen.
      Page = Struct.new(:headers, :body)
      private_constant :Page

      HTML = "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>%<title>s</title></head>\n" \
             "<body><h1>%<title>s</h1></body>\n</html>\n"
      PROBLEM = "{\"type\":\"about:blank\",\"title\":\"%<reason>s\",\"status\":%<status>d}"
      TEXT = "%<title>s\n"
      FORMS = {
        html: ["text/html; charset=utf-8", HTML].freeze, text: ["text/plain; charset=utf-8", TEXT].freeze,
        problem: ["application/problem+json", PROBLEM].freeze
      }.freeze
      UNNAMED = "Error"
      private_constant :HTML, :PROBLEM, :TEXT, :FORMS, :UNNAMED

      class << self
        # @param env [Hash] a Rack environment; it is not changed
        # @param status [Integer] from 400 to 599
        # @param body [String, nil] nil for a page in the form of the Accept header
        # @param headers [Hash{String => String, Array<String>}, nil] added; content-length and transfer-encoding are
        #   ignored
        # @return [Array(Integer, Hash, Array<String>)] a Rack response that middleware may change
        # @raise [ArgumentError] for a body or a header that cannot be sent
        # *Cost*: no exception; 3 objects without body and headers, if the Accept header need not be parsed
        def response(env, status, body = nil, headers = nil)
          if body.nil?
            accept = env["HTTP_ACCEPT"]
            form = accept ? Accept.form(accept) : :text
            page = PAGES[form][status] || render(form, status)
            fields = page.headers.dup
            body = page.body
          else
            Body.checked(body) # a subclass of HTTPError may return anything
            fields = { "content-type" => text_type(body), "content-length" => body.bytesize.to_s }
          end
          add(fields, headers) unless headers.nil? || headers.empty?
          fields = Headers.for_rack_2(fields) unless Headers.lowercase?
          [status, fields, env["REQUEST_METHOD"] == "HEAD" ? [] : [body]]
        end

        private

        def render(form, status)
          type, template = FORMS.fetch(form)
          reason = Statuses.reason(status) || UNNAMED
          body = format(template, title: "#{status} #{reason}", reason: reason, status: status).freeze
          length = body.bytesize.to_s.freeze
          Page.new({ "content-type" => type, "vary" => "Accept", "content-length" => length }.freeze, body).freeze
        end

        def add(fields, headers)
          headers.each do |name, value|
            Headers.check(name, value) # a subclass of HTTPError may return anything
            name = name.downcase
            next if %w[content-length transfer-encoding].include?(name)

            fields[name] = name == "vary" && fields.key?(name) ? vary(value) : value
          end
        end

        def vary(value)
          names = [*value].join(", ")
          names.match?(/(?:\A|,)\s*(?:\*|accept)\s*(?:,|\z)/i) ? names : "#{names}, Accept"
        end

        def text_type(body)
          [Encoding::UTF_8, Encoding::US_ASCII].include?(body.encoding) ? "text/plain; charset=utf-8" : "text/plain"
        end
      end

      PAGES = FORMS.to_h do |form, _|
        [form, Statuses::REASONS.to_h { |status, _| [status, render(form, status)] }.freeze]
      end.freeze
      private_constant :PAGES
    end
  end
end

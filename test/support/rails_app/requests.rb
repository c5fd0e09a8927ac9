# frozen_string_literal: true

module RailsApp
  # The requests to the application: [verb, path, options], see Observer#see.
  module Requests
    ACTIONS = File.read("#{__dir__}/application.rb")[/ACTIONS = %w\[(.*?)\]/m, 1].split.map { |action| "/#{action}" }.freeze
    PATHS = %w[
      / /page /absent /unknown_action /unknown_controller /nowhere /nowhere.json /no/where/at/all?x=1 /mounted/raise /mounted/pass /mounted/own
      /mounted/x /redirected /digits/7 /digits/x /items/1 /admin/raise /file.txt /static /docs /%ff /a%00b /page?a=%ff /page?a[b]=1&a=2 /page.exe
      /page?layout=gone /gone?depth=150 /gone?format=xml /gone.json
    ].freeze
    # One path for each kind of outcome.
    KINDS = %w[/gone /missing_on_nil /nowhere /record /template_500 /partial /handled /fatal /mounted/raise /caused /uncaught /page?a=%ff /syntax].freeze
    ACCEPTED = ["application/json", "application/xml", "text/plain", "*/*", "nonsense", "text/html;q=x, a/b", "", nil].freeze
    SETTINGS = [{ "show_exceptions" => "none" }, { "show_exceptions" => "rescuable" }, { "show_detailed_exceptions" => true },
                { "log_rescued_responses" => false }, { "show_exceptions" => "none", "show_detailed_exceptions" => true }].freeze
    UPLOAD = "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\nContent-Type: text/plain\r\n\r\nhello\r\n--x--\r\n"
    SPECIAL = [
      ["POST", "/forgery"], ["POST", "/posted", { "body" => "{bad", "headers" => { "CONTENT_TYPE" => "application/json" } }],
      ["POST", "/gone", { "headers" => { "CONTENT_TYPE" => "nonsense;;" } }], ["FOO", "/page"], ["FOO", "/nowhere"], ["DELETE", "/page"],
      ["OPTIONS", "/nowhere"], ["GET", "/gone", { "locale" => "de" }],
      ["POST", "/upload", { "headers" => { "CONTENT_TYPE" => "multipart/form-data; boundary=x" }, "body" => UPLOAD }],
      ["POST", "/nowhere", { "body" => "_method=DELETE&a=1", "headers" => { "CONTENT_TYPE" => "application/x-www-form-urlencoded" } }],
      ["GET", "/gone", { "headers" => { "HTTP_X_REQUESTED_WITH" => "XMLHttpRequest" } }],
      ["GET", "/gone", { "headers" => { "HTTP_COOKIE" => "_shop_session=zzz; a=b" } }],
      ["GET", "/gone", { "settings" => { "show_detailed_exceptions" => true }, "headers" => { "HTTP_ACCEPT" => "application/json" } }],
      ["GET", "/gone", { "settings" => { "show_detailed_exceptions" => true }, "headers" => { "HTTP_X_REQUESTED_WITH" => "XMLHttpRequest" } }],
      *%w[/gone /nowhere /missing_on_nil].map { |path| ["HEAD", path, { "settings" => { "show_detailed_exceptions" => true } }] }
    ].freeze

    class << self
      # Each action and path once, and requests with special headers or bodies.
      def each_once = (PATHS + ACTIONS).map { |path| ["GET", path] } + heads + SPECIAL

      # All combinations.
      def all = each_once + accepted(%w[/gone /nowhere /missing_method]) + settings(KINDS) + exceptions_apps(KINDS)

      # The combinations that are fast and find the most differences.
      def few
        accepted(%w[/gone]) + settings(%w[/gone /nowhere /missing_on_nil]) + exceptions_apps(%w[/gone /nowhere])
      end

      private

      def heads = %w[/gone /nowhere /page /missing_on_nil /mounted/pass /file.txt].map { |path| ["HEAD", path] }

      def accepted(paths) = paths.product(ACCEPTED).map { |path, type| ["GET", path, { "headers" => { "HTTP_ACCEPT" => type } }] }

      def settings(paths) = SETTINGS.product(paths).map { |setting, path| ["GET", path, { "settings" => setting }] }

      def exceptions_apps(paths) = %w[broken pass own routes].product(paths).map { |app, path| ["GET", path, { "exceptions_app" => app }] }
    end
  end
end

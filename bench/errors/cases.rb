# frozen_string_literal: true

require_relative "raising"

module Frugal
  module ErrorsBench
    # One way in which an application answers: its `label`, the `variant` of the
    # application (the value of ERRORS_BENCH), the requested `path` and the expected `status`.
    Way = Struct.new(:label, :variant, :path, :status) do
      # @return [Boolean] whether it is a normal page, not an error
      def page? = status == 200
    end

    # One application: its `ways`, whether they are also measured on the `wire` (over
    # connections), and whether all errors of a variant must be the `same`, byte for byte.
    Case = Struct.new(:name, :title, :ways, :wire, :same, keyword_init: true) do
      alias_method :to_s, :name

      # @return [Array<String>]
      def variants = ways.map(&:variant).uniq

      # @return [String] the rackup file, or the folder of an application that is not Ruby
      def app = ["#{name}.ru", name].map { |file| File.join(__dir__, "apps", file) }.find { |file| File.exist?(file) }
    end

    # All cases.
    module Cases
      DEPTHS = [0, 50, 200].freeze # stack frames in addition to the application's own
      RAISING = "raising"

      class << self
        # @param way [String] the name of the way in the path
        # @return [Array<Way>]
        def each_depth(label, variant, way)
          DEPTHS.map { |depth| Way.new("#{label}, #{depth} deep", variant, "/#{way}/#{depth}", 404) }
        end

        # @param variants [Array<String>]
        # @param paths [Hash{Symbol => Array(String, Integer)}] label → path, status
        # @return [Array<Way>]
        def in_variants(*variants, **paths)
          variants.flat_map do |variant|
            paths.map { |label, (path, status)| Way.new("#{variant}, #{label}", variant, path, status) }
          end
        end
      end

      PUMA = [
        Way.new("200, returned", "stock", "/page", 200),
        *each_depth("404, returned", "stock", "returned"),
        *each_depth("raise, rendered and logged", "stock", "raised"),
        Way.new("raise, not rendered", "stock", "/bare/0", 404),
        Way.new("raise one again, rendered and logged", "stock", "/reused/0", 404),
        Way.new("raise one again, not rendered", "stock", "/bare_reused/0", 404),
        Way.new("with frugal, 200, returned", "frugal", "/page", 200),
        Way.new("with frugal, an ERB page", "frugal", "/erb", 200),
        # Ways that are compared with each other run directly one after the other.
        *[each_depth("with frugal, 404, returned", "frugal", "returned"), each_depth("Frugal.halt", "frugal", "halt"),
          each_depth("Frugal.signal", "frugal", "signal"),
          each_depth("frugal's Responder, raise", "frugal", "raised")].transpose.flatten
      ].freeze

      RAILS = [
        *in_variants("stock", "frugal", "page": ["/show/1", 200], "raise": ["/raised/1", 404],
                                        "raise, 150 deep": ["/deep/1", 404],
                                        "find": ["/find/1", 404], "unknown route": ["/nowhere", 404],
                                        "NoMethodError": ["/no_method/1", 500], "head :not_found": ["/missing/1", 404]),
        *in_variants("frugal, route_check", "page": ["/show/1", 200], "unknown route": ["/nowhere", 404])
      ].freeze

      SINATRA = in_variants("stock", "frugal", "page": ["/articles/1", 200], "halt": ["/halt/1", 404],
                                               "unknown route": ["/nowhere", 404],
                                               "error block": ["/error/1", 404], "error block, 150 deeper": ["/deep/1", 404],
                                               "NoMethodError": ["/no-method/1", 500]).freeze

      FILES = in_variants("File.open and rescue", "Rack::Files", "Frugal::Files",
                          here: ["/here.txt", 200], missing: ["/missing.txt", 404]).freeze

      VIBE = [
        Way.new("200, returned", "vibe.d", "/page", 200),
        Way.new("throw, rendered", "vibe.d", "/rendered/thrown", 404),
        Way.new("throw, not rendered", "vibe.d", "/thrown", 404),
        Way.new("throw one again, rendered", "vibe.d", "/rendered/again", 404),
        Way.new("throw one again, not rendered", "vibe.d", "/again", 404)
      ].freeze

      ALL = [
        Case.new(name: "puma", title: "a Rack application behind 20 middlewares", ways: PUMA, wire: true, same: true),
        Case.new(name: "rails", title: "a Rails application in production", ways: RAILS, wire: true),
        Case.new(name: "sinatra", title: "a Sinatra application of 32 routes, in production", ways: SINATRA, wire: true),
        Case.new(name: "files", title: "an existing file and a missing file", ways: FILES, wire: false),
        Case.new(name: "vibe.d", title: "a server in D, if dub has vibe.d", ways: VIBE, wire: true)
      ].freeze
      NAMES = [*ALL.map(&:name), RAISING].freeze
    end
  end
end

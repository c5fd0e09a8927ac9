# frozen_string_literal: true

require "rbconfig"
require_relative "../support/gem_cache"

module Frugal
  module PStoreBench
    # Where the versions of pstore are, and the gem behind Frugal::Store's other
    # engine: in this checkout (bin/setup --pstores), among the installed gems, or
    # in a cache, into which they are fetched.
    class Libraries
      VERSIONS = %w[0.1.1 0.2.1 0.3.0].freeze
      CHECKOUT = File.expand_path("../../tmp", __dir__)

      # @return [Array<String>] what is missing
      attr_reader :notes

      # @param offline [Boolean] whether to do without downloads
      def initialize(offline:)
        @offline = offline
        @notes = []
      end

      # @return [Hash{String => String}] version → folder for the load path, the oldest first
      def pstores
        @pstores ||= VERSIONS.to_h { |version| [version, pstore(version) || missing(version)] }.compact
      end

      # @return [Array<String>] folders for the load path; none: RubyGems may know it
      def sqlite3
        Dir.glob("stores/#{RUBY_ENGINE}-#{RbConfig::CONFIG["ruby_version"]}/{gems/sqlite3-*/lib,extensions/*/*/sqlite3-*}", base: CHECKOUT)
           .map { |folder| File.join(CHECKOUT, folder) }
      end

      private

      def pstore(version)
        found(version) || (found(version) if !@offline && Bench::GemCache.fetch("pstore", version))
      end

      # A default gem has no folder of its own, and its file is Ruby's.
      def found(version)
        homes = [File.join(CHECKOUT, "pstores"), Bench::GemCache.folder].map { |folder| File.join(folder, "gems/pstore-#{version}") }
        homes += Gem::Specification.find_all_by_name("pstore", version).map(&:full_gem_path)
        homes.map { |home| File.join(home, "lib") }.find { |library| File.exist?(File.join(library, "pstore.rb")) }
      end

      def missing(version)
        @notes << "pstore #{version} is not compared: it is not here#{@offline ? " (--offline)" : ", and gem install does not get it"}"
        nil
      end
    end
  end
end

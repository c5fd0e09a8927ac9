# frozen_string_literal: true

require "rbconfig"
require_relative "../support/gem_cache"

module Frugal
  module PStoreBench
    # Finds the versions of pstore, and the gem sqlite3 for Frugal::Store: in this checkout
    # (bin/setup --pstores), among the installed gems, or in a cache, into which missing
    # versions are downloaded.
    class Libraries
      VERSIONS = %w[0.1.1 0.2.1 0.3.0].freeze
      CHECKOUT = File.expand_path("../../tmp", __dir__)

      # @return [Array<String>] notes about what is missing
      attr_reader :notes

      # @param offline [Boolean] whether downloads are forbidden
      def initialize(offline:)
        @offline = offline
        @notes = []
      end

      # @return [Hash{String => String}] version → folder for the load path, oldest first
      def pstores
        @pstores ||= VERSIONS.to_h { |version| [version, pstore(version) || missing(version)] }.compact
      end

      # @return [Array<String>] folders for the load path; empty if RubyGems has to find the gem
      def sqlite3
        gems = "stores/#{RUBY_ENGINE}-#{RbConfig::CONFIG["ruby_version"]}"
        Dir.glob("#{gems}/{gems/sqlite3-*/lib,extensions/*/*/sqlite3-*}", base: CHECKOUT)
           .map { |folder| File.join(CHECKOUT, folder) }
      end

      private

      def pstore(version)
        found(version) || (found(version) if !@offline && Bench::GemCache.fetch("pstore", version))
      end

      # Looks for the file, because a default gem has no folder for it: its file belongs to Ruby.
      def found(version)
        homes = [File.join(CHECKOUT, "pstores"), Bench::GemCache.folder]
                .map { |folder| File.join(folder, "gems/pstore-#{version}") }
        homes += Gem::Specification.find_all_by_name("pstore", version).map(&:full_gem_path)
        homes.map { |home| File.join(home, "lib") }.find { |library| File.exist?(File.join(library, "pstore.rb")) }
      end

      def missing(version)
        reason = @offline ? "it is not installed (--offline)" : "it is not installed and cannot be downloaded"
        @notes << "pstore #{version} is not compared: #{reason}"
        nil
      end
    end
  end
end

# frozen_string_literal: true

require "rbconfig"
require_relative "../support/web_gems"

module Frugal
  module ProfileBench
    # The programs, all in programs/. `sizes` are those of a run and of --quick. `kind` is that of the finding which the
    # program's change removes; nil where the recorder's cost is measured, at most `bound` times the plain run. `gems`
    # is what it needs: of WebGems, unless it is in RubyGems (`rake`, `rspec`) or in `tmp/caches` (`sprockets`).
    Case = Struct.new(:name, :program, :sizes, :gems, :bound, :kind, :title, keyword_init: true) do
      # @return [Integer]
      def size(quick) = quick ? sizes.last : sizes.first
    end

    # All cases.
    module Cases
      PROGRAMS = File.expand_path("programs", __dir__)
      CACHES = File.expand_path("../../tmp/caches/gems", __dir__)
      INSTALLED = %w[rake rspec].freeze
      ZONES = "/usr/share/zoneinfo"
      OVERHEADS = [
        Case.new(name: "rake", program: "file_tasks", sizes: [4000, 20], gems: %w[rake], bound: 1.1,
                 title: "Rake, 4,000 tasks, nothing to do"),
        Case.new(name: "rspec", program: "examples", sizes: [5000, 20], gems: %w[rspec], bound: 1.1,
                 title: "RSpec, 5,000 examples"),
        Case.new(name: "rails", program: "rails_boot", sizes: [1, 1], gems: %w[railties actionpack], bound: 1.1,
                 title: "a Rails application boots, eager_load"),
        Case.new(name: "store", program: "file_store_read", sizes: [20_000, 200], gems: %w[activesupport], bound: 1.3,
                 title: "ActiveSupport's FileStore, 20,000 reads"),
        Case.new(name: "exist", program: "exist", sizes: [300_000, 100], gems: [], bound: 1.3,
                 title: "nothing but File.exist?, 300,000 times")
      ].freeze
      PREDICTIONS = [
        Case.new(name: "file-tasks", program: "file_tasks", sizes: [8000, 20], gems: %w[rake], kind: :redundant_call,
                 title: "Rake: ask for the time, and rescue a miss"),
        Case.new(name: "file-store", program: "file_store_read", sizes: [60_000, 200], gems: %w[activesupport],
                 kind: :check_then_use, title: "FileStore: read, and rescue a miss"),
        Case.new(name: "zones", program: "zones", sizes: [2000, 100], gems: %w[tzinfo], kind: :tiny_reads,
                 title: "TZInfo: read each file at once"),
        Case.new(name: "reloader", program: "reloader", sizes: [400, 2], gems: %w[actionpack], kind: :rescued_error,
                 title: "Rack::Reloader: a probe for File.stat"),
        Case.new(name: "assets", program: "assets", sizes: [60_000, 200], gems: %w[sprockets], kind: :redundant_call,
                 title: "Sprockets: a probe for File.exist? and File.stat"),
        Case.new(name: "load-path", program: "load_path", sizes: [1, 1], gems: %w[activerecord actionpack sinatra],
                 kind: :load_path_misses, title: "a Rails application: one folder for all gems")
      ].freeze
      REPORT = "report"
      NAMES = [*OVERHEADS.map(&:name), REPORT, *PREDICTIONS.map(&:name)].freeze

      class << self
        # @param one [Case]
        # @param side [String] "prepare", "stock" or "changed"
        # @return [Array<String>]
        def command(one, side, quick)
          [RbConfig.ruby, *options(one), File.join(PROGRAMS, "#{one.program}.rb"), side, one.size(quick).to_s]
        end

        # @return [String, nil] why the case cannot run here
        def missing(one)
          return "no #{ZONES}" if one.program == "zones" && !File.directory?(ZONES)
          return "sprockets is not in tmp/caches: bin/setup --caches" if one.gems.include?("sprockets") && !sprockets
          return not_installed(one.gems) if installed?(one)

          Bench::WebGems::MISSING unless Bench::WebGems.available?(*one.gems - %w[sprockets])
        end

        private

        def options(one)
          return [] if installed?(one)

          first = one.gems.include?("sprockets") ? ["-I#{sprockets}", "-I#{Dir.glob("#{CACHES}/rack-*/lib").max}"] : []
          ["-I#{File.expand_path("../../lib", __dir__)}", *first, *Bench::WebGems.options]
        end

        def not_installed(gems)
          gem = gems.find { |name| Gem::Specification.find_all_by_name(name).empty? }
          "#{gem} is not installed" if gem
        end

        def installed?(one) = one.gems.empty? || INSTALLED.include?(one.gems.first)

        def sprockets = Dir.glob("#{CACHES}/sprockets-4.*/lib").max
      end
    end
  end
end

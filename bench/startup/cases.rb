# frozen_string_literal: true

require "rbconfig"

module Frugal
  module StartupBench
    # Short programs, and the targets: how many system calls and µs of processor time
    # `frugal run` may add to each. test/cli/run_test.rb asserts the system calls.
    module Cases
      Case = Struct.new(:name, :argv, :calls, :cpu) do
        alias_method :to_s, :name
      end

      ALL = [
        Case.new("nothing", %w[-e 1], 45, 1_500),
        Case.new("fileutils", %w[-rfileutils -e 1], 60, 3_000),
        Case.new("find", ["-rfind", "-e", 'Find.find("tree") { |path| path }'], 60, 3_000),
        Case.new("glob", ["-e", 'Dir.glob("tree/**/*.rb")'], 60, 3_000),
        Case.new("pstore", %w[-rpstore -e 1], 60, 3_000),
        Case.new("rake", ["-e", 'load Gem.bin_path("rake", "rake")', "--", "-q", "a"], 60, 3_000)
      ].freeze
      NAMES = ALL.map(&:name).freeze

      # Creates the files that the programs read, in the current directory.
      def self.write_files
        Dir.mkdir("tree")
        Dir.mkdir("tree/a")
        File.write("tree/a/b.rb", "")
        File.write("Rakefile", "task(:a) {}\n")
      end
    end
  end
end

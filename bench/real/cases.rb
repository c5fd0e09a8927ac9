# frozen_string_literal: true

require "fileutils"
require "pstore"
require "rbconfig"

module Frugal
  module RealBench
    # What is measured: programs of the corpus in test/real, and small programs for a number of files.
    module Cases
      # The name here => the project in test/real/corpus.
      PROGRAMS = { "rake" => "builder", "rspec" => "addressable", "rubocop" => "rubocop", "jekyll" => "jekyll", "yard" => "yard",
                   "rails-test" => "rails-test", "rails-assets" => "rails-assets" }.freeze

      # The name here => a script, which runs in a folder that {.prepare} has made; COUNT is the number of files.
      SIZED = {
        "build" => 'load Gem.bin_path("rake", "rake")',
        "glob" => 'Dir.glob("tree/**/*")',
        "find" => 'require "find"; Find.find("tree") { |path| path }',
        "fileutils" => 'require "fileutils"; FileUtils.cp_r("tree", "copy"); FileUtils.rm_rf("copy")',
        "pstore" => 'require "pstore"; store = PStore.new("store"); COUNT.times { store.transaction(true) { store[1] } }'
      }.freeze
      SIZES = [1, 10, 100, 1_000, 10_000].freeze
      NAMES = [*SIZED.keys, *PROGRAMS.keys].freeze
      # A program with a number of files, or a real one without.
      Case = Struct.new(:name, :size) do
        def to_s = [name, size].compact.join(" ")
      end

      class << self
        # @return [Array<String>] the command; the current directory is the folder
        def command(name, count)
          [RbConfig.ruby, "-e", SIZED.fetch(name).gsub("COUNT", count.to_s), "--", *("-q" if name == "build")]
        end

        # Makes what the scripts need in the current directory: sources and targets of a build, in a tree of directories
        # with 100 files each, and a store.
        def prepare(count)
          pairs = Array.new(count) { |i| ["tree/#{i / 100}/#{i}.out", "tree/#{i / 100}/#{i}.in"] }
          pairs.map { |out, _| File.dirname(out) }.uniq.each { |folder| FileUtils.mkdir_p(folder) }
          pairs.each { |out, source| [source, out].each { |file| File.write(file, "") } }
          File.write("Rakefile", <<~RUBY)
            #{count}.times { |i| file("tree/\#{i / 100}/\#{i}.out" => "tree/\#{i / 100}/\#{i}.in") }
            task default: Array.new(#{count}) { |i| "tree/\#{i / 100}/\#{i}.out" }
          RUBY
          PStore.new("store").tap { |store| store.transaction { store[1] = "value" } }
        end
      end
    end
  end
end

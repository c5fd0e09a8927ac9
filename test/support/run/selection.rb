# frozen_string_literal: true

require "etc"
require_relative "leg"
require_relative "needs"
require_relative "sources"

class TestRun
  # What the arguments of bin/test select: files, their legs, and the parts of bin/setup that they need.
  class Selection
    ROOT = Needs::ROOT
    VERBOSE = %w[-v --verbose].freeze
    # Minitest's options whose value may look like a folder: -n /home/
    VALUED = %w[-n --name -e --exclude].freeze

    # @return [Array<String>] options of minitest
    attr_reader :options
    # @return [Symbol, nil] what to do with the list of skips: see {Progress}
    attr_reader :skips

    # @param argv [Array<String>]
    def initialize(argv)
      @skips = :write if argv.delete("--list-skips")
      @ruby = argv.delete("--mri") || argv.delete("--jruby")
      @all = argv.delete("--all") || @ruby
      named, @options = split(argv)
      missing = named.reject { |name| File.exist?(name) }
      abort "no such file or folder: #{missing.join(", ")}" unless missing.empty?

      @quick = !@all && named.empty?
      @share = "all" if @all
      every = @all && named.empty? && (@options - VERBOSE).empty?
      abort "--list-skips goes with --all, and with nothing else" if @skips && !every
      @skips ||= :compare if ENV["CI"] && every
      @share = "quick" if @quick
      @files = (named.empty? ? ["#{ROOT}/test"] : named).flat_map { |name| files_named(File.expand_path(name)) }
      @files = @files.reject { |file| only_all?(file) } if @quick
    end

    # @return [Hash{String => String}] variables for the tests
    def environment = { "TEST_SHARE" => @share }

    def verbose? = @options.intersect?(VERBOSE)

    # @return [Array<Leg>]
    def legs
      @legs ||= LEGS.map { |title, folders, engine, jars| Leg.new(title, engine, files_of(folders, jars), jars && (ENV["JRUBY_JARS"] || "#{ROOT}/#{jars}")) }
                    .reject { |leg| leg.files.empty? || left_out?(leg) }
    end

    # Installs what the files need.
    def set_up
      parts = legs.flat_map { |leg| leg.jars ? %w[jruby stores redis] : leg.files.flat_map { |file| Needs.all(file) } }.uniq
      parts &= PARTS if @quick
      return if parts.empty? || system("#{ROOT}/bin/setup", *parts.map { |part| "--#{part}" })

      exit $?&.exitstatus || 1
    end

    private

    # @return [Array(Array<String>, Array<String>)] the names of files and folders, and the rest
    def split(argv)
      values = argv.each_cons(2).with_index(1).filter_map { |(option, _), at| at if VALUED.include?(option) }
      first = argv.take_while { |arg| !arg.start_with?("-") }.size
      argv.each_with_index.partition { |arg, at| at < first || (!values.include?(at) && (arg.end_with?(".rb") || File.directory?(arg))) }
          .map { |found| found.map(&:first) }
    end

    def only_all?(file)
      ONLY_ALL.any? { |beginning| file.start_with?("#{ROOT}/#{beginning}") } || (Needs.of(file) - PARTS).any?
    end

    # A file outside of the folders counts as a unit.
    def files_of(beginnings, jars)
      @files.uniq.select do |file|
        path = file.delete_prefix("#{ROOT}/test/")
        path = "unit/#{File.basename(file)}" if LEGS.none? { |leg| begins?(path, leg[1]) }
        begins?(path, beginnings) && !(jars && file.end_with?("_cost_test.rb")) # a JVM makes calls of its own
      end
    end

    def begins?(path, beginnings) = beginnings.any? { |beginning| File.fnmatch?("#{beginning}*", path) }

    def left_out?(leg)
      return true if leg.jars && !@all

      @ruby == (leg.title.start_with?("JRuby") ? "--mri" : "--jruby")
    end

    def files_named(path)
      if Sources.source?(path)
        found = Sources.tests_of(path)
        return found.any? ? found : abort("no test has the name of #{path}: see test/support/run/sources.rb")
      end

      File.directory?(path) ? tests_in(path) : path
    end

    # What lies in a corpus is somebody's program.
    def tests_in(folder) = Dir.glob("#{folder}/**/*_test.rb").grep_v(%r{/corpus/})
  end
end

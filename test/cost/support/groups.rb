# frozen_string_literal: true

require_relative "../../../bench/support/web_gems"
require_relative "../../support/caches"

module CostBudget
  # Cases that are measured together.
  #
  # @!attribute programs
  #   @return [Hash{String => Array<String>}] arguments of Ruby. A program of test/cost/programs measures its cases itself; of
  #     another one, everything counts, and its name is the case.
  # @!attribute way
  #   @return [Symbol] how frugal is switched on: `:run` (frugal run), `:program` (by the program, where COST_FRUGAL is set)
  #     or `:library` (there is no stock)
  # @!attribute gems
  #   @return [Array<String>] the gems with their versions that the figures depend on
  # @!attribute missing
  #   @return [String, nil] why it cannot be measured here
  Group = Struct.new(:name, :programs, :way, :gems, :missing, keyword_init: true) do
    def stock? = way != :library
    def whole_processes? = programs.size > 1
  end

  # All of them. The cases of the drop-ins that `frugal run` enables at n = 0, 1 and 10 are processes.
  module Groups
    FOLDER = File.expand_path("../programs", __dir__)
    WEB = Frugal::Bench::WebGems
    USES = {
      "dir" => 'Dir.glob("three/**/*.rb")', "find" => 'Find.find("three") { |path| path }',
      "fileutils" => 'FileUtils.mkdir_p("three")', "pstore" => 'PStore.new("store").transaction(true) { |store| store["a"] }'
    }.freeze
    SPROCKETS = Caches.all("sprockets").last
    ACTIVE_SUPPORT = Caches.all("activesupport").last

    class << self
      # The longest first.
      #
      # @return [Array<Group>]
      def all
        [web("rails", %w[railties actionpack rack]), group("launch", launches, :run), group("rake", "rake", :run, [rake]),
         group("Rakefiles", rakefiles, :run, [rake]), group("trees", "trees", :run), caches, web("sinatra", %w[sinatra rack]),
         group("pstore", "pstore", :run), group("library", "library", :library)]
      end

      private

      def group(name, programs, way, gems = [], missing = nil)
        programs = { name => ["#{FOLDER}/#{programs}.rb"] } if programs.is_a?(String)
        Group.new(name: name, programs: programs, way: way, gems: gems, missing: missing)
      end

      def rake = "rake #{Gem::Specification.find_by_name("rake").version}"

      def web(name, gems)
        return group(name, {}, :program, [], WEB::MISSING) unless WEB.available?(*gems)

        group(name, { name => [*WEB.options, "#{FOLDER}/#{name}.rb"] }, :program, gems.map { |gem| "#{gem} #{WEB.versions(gem).last}" })
      end

      def caches
        return group("caches", {}, :program, [], "bin/setup --caches") unless SPROCKETS && ACTIVE_SUPPORT

        options = [*Caches.options(SPROCKETS), *Caches.options(ACTIVE_SUPPORT)].uniq
        group("caches", { "caches" => [*options, "#{FOLDER}/caches.rb"] }, :program, [SPROCKETS, ACTIVE_SUPPORT])
      end

      def launches
        [0, 1, 10].each_with_object({ "ruby -e 0" => %w[-e 0] }) do |count, found|
          USES.each do |name, use|
            found["#{name} at #{count}"] = ["-e", "#{%(require "#{name}"; ) unless name == "dir"}#{count}.times { #{use} }"]
          end
        end
      end

      # "at 0" is a Rakefile of one task.
      def rakefiles
        [0, 1, 10].to_h do |count|
          ["rake at #{count}", ["-e", %(require "rake"; Rake.application.run(%w[-q -f Rakefile.#{count} all]))]]
        end
      end
    end
  end
end

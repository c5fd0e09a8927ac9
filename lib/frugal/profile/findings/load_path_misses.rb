# frozen_string_literal: true

require_relative "../kinds"
require_relative "finder"

module Frugal
  module Profile
    module Findings
      # The failed stats and opens of `require`, which tries one folder of the load path after the other: one finding
      # for each program, with the line and the file that cause most of them, and one for what RubyGems and Bundler
      # themselves require.
      class LoadPathMisses < Finder
        LOADER_NAMES = (Kinds::STATS + Kinds::OPENS).freeze
        MISSES = { "ENOENT" => true, "ENOTDIR" => true }.freeze
        LIBRARIES = %w[/bundler.rb /bootsnap.rb].freeze
        # Without these libraries, and with each of them.
        FIXES = ["Require by path what is near (require_relative): then no folder is searched.",
                 "Add the gem bootsnap, which knows from an index of the load path where each file is.",
                 "bootsnap is on: require these files after it, by path, or not at all if they are nowhere."].freeze
        private_constant :MISSES, :LIBRARIES, :FIXES

        # The questions of `require` at the lines of loaders, or at all others.
        Questions = Struct.new(:total, :calls, :places)
        # One command line; library:: Integer: which of LIBRARIES is loaded.
        Program = Struct.new(:own, :loaders, :library)
        private_constant :Questions, :Program

        # @param context [Context]
        def initialize(context)
          super
          @programs = Hash.new { |all, argv| all[argv] = Program.new(*Array.new(2) { questions }, 0) }
          @processes = {}.compare_by_identity
        end

        # Called by the {Timeline}.
        def loaded(call, _node, actor, facts)
          program = @processes[actor.process] ||= @programs[actor.process.argv]
          questions = facts.place.loader? ? program.loaders : program.own
          questions.total += 1
          return library(program, call.path) unless MISSES.key?(call.error)

          questions.calls << call
          questions.places[facts.place] += 1
        end

        # @param claims [Claims]
        # @return [Array<Finding>]
        def findings(claims)
          @programs.each_value.flat_map do |program|
            [misses(program.own, FIXES[program.library], claims), misses(program.loaders, nil, claims)].compact
          end
        end

        private

        def questions = Questions.new(0, [], Hash.new(0).compare_by_identity)

        def library(program, path)
          found = LIBRARIES.rindex { |library| path&.end_with?(library) }
          program.library = [found + 1, program.library].max if found
        end

        # @param fix [String, nil] nil for a loader, which has to be changed itself
        def misses(questions, fix, claims)
          calls = questions.calls
          return if calls.empty?

          place = questions.places.max_by(&:last).first
          finding(:load_path_misses, place, calls, claims,
                  lines: questions.places.size, fix: fix || fix(FIXES.first, place),
                  fail_rate: calls.size.fdiv(questions.total), saved: savings.searches(calls),
                  message: message(questions, place))
        end

        def message(questions, place)
          calls = questions.calls.select { |call| timeline.stacks.of(call.stack).place.equal?(place) }
          name, most = calls.map { |call| File.basename(call.path.to_s) }.tally.max_by(&:last)
          "#{Prose.number(questions.calls.size)} of #{Prose.some(questions.total, "question")} of require miss, most " \
            "at #{timeline.stacks.origins.of(place.file)}:#{place.line}: #{Prose.number(most)} for #{name}"
        end
      end
    end
  end
end

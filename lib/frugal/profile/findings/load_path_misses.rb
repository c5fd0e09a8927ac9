# frozen_string_literal: true

require_relative "../kinds"
require_relative "finder"

module Frugal
  module Profile
    module Findings
      # The failed stats and opens of `require`, which tries one folder of the load path after the other. Two things can
      # be changed: a line may require a file that is nowhere, which raises a LoadError; and an index, or a shorter load
      # path, saves the search for the files that are found at last. What a command of a gem searches without Bundler is
      # no finding: no line of the program requires anything.
      class LoadPathMisses < Finder
        LOADER_NAMES = (Kinds::STATS + Kinds::OPENS).freeze
        MISSES = { "ENOENT" => true, "ENOTDIR" => true }.freeze
        BUNDLER = "/bundler.rb"
        BOOTSNAP = "/bootsnap.rb"
        NOWHERE_FIX = "Require it only where it is expected: ask for its gem or for a version first."
        INDEX_FIX = "Add the gem bootsnap, which knows from an index of the load path where each file is."
        PATH_FIX = "Add the gem bootsnap, or require by path: require_relative searches no folder."
        private_constant :MISSES, :BUNDLER, :BOOTSNAP, :NOWHERE_FIX, :INDEX_FIX, :PATH_FIX

        # One command line; `misses` are those of files that were found.
        Program = Struct.new(:total, :misses, :bundler, :bootsnap)
        private_constant :Program

        # @param context [Context]
        def initialize(context)
          super
          @programs = Hash.new { |all, argv| all[argv] = Program.new(0, []) }
          @processes = {}.compare_by_identity
          @searches = Hash.new { |all, actor| all[actor] = {}.compare_by_identity }.compare_by_identity
        end

        # Called by the {Timeline}.
        def loaded(call, _node, actor, facts)
          program = @processes[actor.process] ||= @programs[actor.process.argv]
          program.total += 1
          searches = @searches[actor]
          return (searches[facts.place] ||= []) << call if MISSES.key?(call.error)

          found(program, searches.delete(facts.place), call.path)
        end

        # @param claims [Claims]
        # @return [Array<Finding>]
        def findings(claims)
          lost = Hash.new { |all, place| all[place] = [] }.compare_by_identity
          @searches.each do |actor, places|
            places.each { |place, calls| (failed?(place) ? lost[place] : misses(actor)).concat(calls) }
          end
          lost.map { |place, calls| nowhere(place, calls, claims) } +
            @programs.each_value.filter_map { |program| searched(program, claims) }
        end

        private

        # Without a LoadError, the file had been loaded before: Ruby looks for `x.rb` before it knows that `x.so` is
        # there.
        def failed?(place)
          @failed ||= @context.recording.raises.select { |raised| raised.ancestors.include?("LoadError") }
                              .to_h { |raised| [timeline.stacks.of(raised.stack).place, true] }.compare_by_identity
          @failed.key?(place)
        end

        def misses(actor) = @processes[actor.process].misses

        def found(program, misses, path)
          program.misses.concat(misses) if misses
          return unless path

          program.bundler ||= path.end_with?(BUNDLER)
          program.bootsnap ||= path.end_with?(BOOTSNAP)
        end

        def nowhere(place, calls, claims)
          name, = calls.map { |call| File.basename(call.path.to_s) }.tally.max_by(&:last)
          finding(:load_path_misses, place, calls, claims,
                  fix: NOWHERE_FIX, fail_rate: nil, saved: savings.searches(calls),
                  message: "require asks #{Prose.some(calls.size, "time")} for what is in no folder (#{name})")
        end

        def searched(program, claims)
          return if program.bootsnap

          places = program.misses.group_by { |call| timeline.stacks.of(call.stack).place }
          places.reject! { |place,| place.loader? }
          return unless places.any? && (program.bundler || places.each_key.any? { |place| own?(place) })

          calls = places.values.flatten(1)
          finding(:load_path_misses, places.max_by { |_, some| some.size }.first, calls, claims,
                  lines: places.size, fix: program.bundler ? INDEX_FIX : PATH_FIX,
                  fail_rate: calls.size.fdiv(program.total), saved: savings.searches(calls),
                  message: message(program, calls))
        end

        def own?(place) = timeline.stacks.origins.own?(place.actor.file)

        def message(program, calls)
          folders = calls.map { |call| File.dirname(call.path.to_s) }.uniq.size
          "#{Prose.number(calls.size)} of #{Prose.some(program.total, "question")} of require miss, in " \
            "#{Prose.some(folders, "folder")}"
        end
      end
    end
  end
end

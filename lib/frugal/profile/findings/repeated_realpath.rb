# frozen_string_literal: true

require_relative "finder"
require_relative "questions"

module Frugal
  module Profile
    module Findings
      # Paths that are resolved repeatedly, as a whole or component by component; also the folders above each file that
      # `require` loads, which it resolves again for each file.
      class RepeatedRealpath < Finder
        LOADER_NAMES = %i[realpath readlink lstat].freeze
        FIX = "Resolve the path once and keep the result: below a resolved folder, File.join is enough."
        LOADING_FIX = "Load fewer files: `require: false` in the Gemfile for gems that this command does not use, " \
                      "autoload for what is seldom needed. A server (spring, `rubocop --server`) loads each file once."
        private_constant :FIX, :LOADING_FIX

        # The paths that `require` resolves in one program.
        Loading = Struct.new(:calls, :places, :shares)
        private_constant :Loading

        # @param context [Context]
        def initialize(context)
          super
          @loading = Hash.new { |all, argv| all[argv] = Loading.new([], Hash.new(0).compare_by_identity, 0.0) }
          @folders = Hash.new { |all, process| all[process] = {}.compare_by_identity }.compare_by_identity
        end

        # Called by the {Timeline}.
        def loaded(call, node, actor, facts)
          return if node.nil? || (call.error && call.name == :lstat)

          known = @folders[actor.process]
          part = call.name == :realpath ? node.parent : node
          time = known[part]
          known[part] = call.time
          add(call, actor, facts) if time && !timeline.changes.hidden? && !part.changed_since?(time)
        end

        # @param claims [Claims]
        # @return [Array<Finding>]
        def findings(claims)
          groups = @context.questions.realpaths.values + @context.questions.repeats.values.select(&:chain?)
          groups.filter_map { |group| resolved(group, claims) } +
            @loading.each_value.map { |program| required(program, claims) }
        end

        private

        def add(call, actor, facts)
          program = @loading[actor.process.argv]
          program.calls << call
          program.places[facts.place] += 1
          program.shares += call.name == :realpath ? 1 - 1.0 / [call.path.count("/"), 1].max : 1
        end

        def resolved(group, claims)
          calls = claims.free(group.calls)
          return if calls.empty?

          finding(:repeated_realpath, group.place, calls, claims,
                  fix: FIX, fail_rate: nil, saved: savings.repeated(calls), assumption: held,
                  message: message(group, calls))
        end

        def message(group, calls)
          total = group.place.calls.values_at(*calls.map(&:name).uniq).sum
          "#{Prose.number(calls.size)} of #{Prose.some(total, "call")} (#{Prose.functions(calls)}) resolve what was " \
            "resolved before: #{Prose::HELD}"
        end

        # Returns the finding about one program's `require`: only the last component is new with each file, so the
        # resolution of the components above it is superfluous.
        def required(program, claims)
          calls = program.calls
          place = program.places.max_by(&:last).first
          finding(:repeated_realpath, place, calls, claims,
                  lines: program.places.size, fix: LOADING_FIX, fail_rate: nil,
                  saved: savings.of(calls) * (program.shares / calls.size), message: loading_message(program))
        end

        def loading_message(program)
          "require resolves folders #{Prose.some(program.calls.size, "time")} that it had resolved before"
        end
      end
    end
  end
end

# frozen_string_literal: true

require_relative "../finding"
require_relative "claims"
require_relative "drop_ins"
require_relative "prose"
require_relative "savings"

module Frugal
  module Profile
    module Findings
      # The objects that the finders of one recording share.
      Context = Struct.new(:recording, :timeline, :savings, :questions, :rescuers, :drop_ins, keyword_init: true)

      # Base of the finders, one for each kind of finding. The {Timeline} passes the calls to them. At the end,
      # `findings(claims)` of each finder is called, in the order of priority: a finding claims its calls.
      class Finder
        NAMES = [].freeze
        LOADER_NAMES = [].freeze
        # The recorder in Ruby does not see `gets`, and the native one not all waits of a statically linked Ruby.
        UNSEEN = "the thread has not waited in a way that this recorder does not see"
        private_constant :UNSEEN

        # @param context [Context]
        def initialize(context)
          @context = context
        end

        private

        # @return [String, nil] what has to be true of an answer that was known, see {Finding}
        def held = (UNSEEN unless @context.recording.waits?)

        # @param previous [OpenFile] an earlier reading or listing of the same node
        # @param open_file [OpenFile]
        # @return [Boolean] whether nothing recorded can have changed what the earlier one has found; whether the thread
        #   has waited in between is another question, see {OpenFile#waited_since?}
        def unchanged_since?(previous, open_file)
          !timeline.changes.hidden? && !open_file.waited? && !open_file.node.changed_since?(previous.open.time)
        end

        # @return [Savings]
        def savings = @context.savings

        # @return [Timeline]
        def timeline = @context.timeline

        # @param calls [Array<Call, Raise>] the superfluous ones; for exceptions, `others` have `drop_in` and `examples`
        # @param fix [String] a sentence; the advice of a drop-in replaces it
        # @param saved [Amount]
        # @param others [Hash] further members of the finding; they replace the members that are computed here
        # @return [Finding]
        def finding(kind, place, calls, claims, fix:, saved: savings.of(calls), **others)
          drop_in = others.fetch(:drop_in) { @context.drop_ins.for(kind, place.file, calls) }
          fix = fix(fix, place) unless others[:lines] || kind == :freshness_check
          claims.take(calls)
          Finding.new(kind: kind, path: place.path, callers: callers(place, calls), count: calls.size,
                      calls: calls, groups: groups(calls), saved_us: saved.us, saved_range_us: saved.range,
                      examples: others.fetch(:examples) { examples(calls) },
                      **others, fix: drop_in ? DropIns.advice(drop_in) : fix, drop_in: drop_in)
        end

        # @param place [Place]
        # @param events [Array<Call, Raise>]
        # @return [Array<Frame>] see {Finding}
        def callers(place, events)
          stacks = timeline.stacks
          callers = events.filter_map { |event| stacks.of(event.stack).caller }.tally
          callers.max_by(3, &:last).map(&:first) - place.path
        end

        # @param place [Place]
        # @param calls [Array<Call>] that had got the answers before
        # @return [Frame, nil] see {Finding}
        def known_from(place, calls)
          frame = calls.map { |call| timeline.stacks.of(call.stack).place.path.last }.tally.max_by(&:last).first
          frame unless frame.file == place.file && frame.line == place.line
        end

        # @param text [String] what to do at the place
        # @param place [Place]
        # @return [String] with the name of the gem, if the place is not the program's
        def fix(text, place)
          origins = timeline.stacks.origins
          names = place.path.map { |frame| origins.of(frame.file).name } - [Origins::RUBY]
          return text if [nil, Origins::PROGRAM].include?(names.last)

          text = "In #{names.last}: #{text}"
          names.first == Origins::PROGRAM ? "#{text} Or call it less often here." : text
        end

        # @return [Hash{String, nil => Integer}, nil]
        def groups(events)
          events.map(&:group).tally unless @context.recording.runs.empty?
        end

        # @return [Array<String>] up to three paths
        def examples(calls) = calls.lazy.filter_map(&:path).uniq.first(3)
      end
    end
  end
end

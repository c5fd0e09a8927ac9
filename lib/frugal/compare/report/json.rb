# frozen_string_literal: true

require "etc"
require "json"
require "time"
require_relative "../../version"

module Frugal
  class Compare
    module Report
      # The comparison as JSON; docs/compare-json.md describes each field.
      class JSON
        SCHEMA = 2
        SIDES = %i[stock frugal].freeze
        private_constant :SIDES

        # @param result [Result]
        # @return [String] one indented JSON document
        def self.of(result) = "#{::JSON.pretty_generate(new(result).to_h)}\n"

        def initialize(result)
          @result = result
        end

        # @return [Hash] the document
        def to_h
          { schema: SCHEMA, frugal: VERSION, command: @result.command.map { |word| Readable.text(word) },
            directory: Readable.text(Dir.pwd),
            started_at: @result.started_at.iso8601, options: options, machine: machine,
            outcome: @result.outcome, **details }
        end

        private

        def details
          return failed if @result.failure

          @result.refusal ? refused : compared
        end

        def failed = { ending: @result.failure.ending, status: @result.failure.status, tail: @result.failure.tail }

        def options = @result.options.transform_values { |value| value.is_a?(String) ? Readable.text(value) : value }

        def machine
          { ruby: RUBY_DESCRIPTION, processors: Etc.nprocessors, load: @result.load }
        end

        def compared
          verdict = Verdict.new(@result)
          { verdict: { kind: verdict.kind, text: verdict.to_s }, ending: @result.ending,
            wall: times(:wall), cpu: times(:cpu),
            allocations: count(:allocations), exceptions: count(:exceptions), file_calls: file_calls,
            dropins: @result.dropins, warnings: Warnings.of(@result) }
        end

        def refused
          { differences: @result.refusal.differences.map { |difference| readable(difference) } }
        end

        # JSON is UTF-8, but a command may print other bytes.
        def readable(difference)
          difference.to_h.merge(before: difference.before.map(&:scrub), after: difference.after.map(&:scrub))
        end

        def times(measure)
          sides = SIDES.to_h do |side|
            [side, { median: rounded(@result.median(measure, side)),
                     samples: @result.times(measure, side).map { |time| rounded(time) } }]
          end
          { unit: "s", **sides, ratio: ratio(@result.ratio(measure)) }
        end

        # The clocks have a precision of microseconds.
        def rounded(number) = number.round(6)

        def ratio(ratio)
          { **ratio.to_h.slice(:median, :low, :high).transform_values { |number| rounded(number) },
            pairs: ratio.pairs.map { |number| rounded(number) } }
        end

        def count(name)
          counts = SIDES.to_h { |side| [side, @result.count(name, side)] }
          return counts if counts.each_value.all?

          reason = @result.no_allocations? ? Warnings::NO_ALLOCATIONS : @result.no_counts_reason
          { unavailable: reason || "not requested" }
        end

        def file_calls
          return { unavailable: @result.no_file_calls_reason || "not requested" } unless @result.file_calls

          SIDES.to_h do |side|
            calls = @result.file_calls[side]
            [side, { total: calls.total, kinds: calls.kinds.transform_values(&:to_h) }]
          end
        end
      end
    end
  end
end

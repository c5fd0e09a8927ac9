# frozen_string_literal: true

module Frugal
  class Compare
    module Report
      # The comparison as text: verdict, table, warnings, next step.
      class Text
        KINDS = 6 # functions whose calls are shown; --json has all of them
        LABELS = { wall: "wall time", cpu: "CPU time", allocations: "allocations", exceptions: "exceptions" }.freeze
        private_constant :KINDS, :LABELS

        # @param result [Result] a result without a refusal or failure
        # @param width [Integer, nil] columns of the terminal; nil if the output is not a terminal
        # @param next_step [String, nil] the last line, instead of the usual one
        # @yieldparam verdict [String] which the caller may make bold
        # @return [String]
        def self.of(result, width: nil, next_step: nil, &bold) = new(result, width, next_step).to_s(&bold)

        def initialize(result, width, next_step)
          @result = result
          @width = width
          @next_step = next_step
        end

        def to_s
          verdict = wrap(Verdict.new(@result).to_s)
          verdict = yield(verdict) if block_given?
          warnings = Warnings.of(@result).map { |sentence| wrap("warning: #{sentence}") }
          [[verdict], table, warnings, [next_step]].reject(&:empty?).map { |part| part.join("\n") }.join("\n\n") << "\n"
        end

        private

        # Breaks lines at spaces, so that the terminal does not break words.
        def wrap(text) = @width ? text.gsub(/(.{1,#{@width}})(?: +|\z)/, "\\1\n").chomp : text

        # The first column is aligned left, the others right. Columns that do not fit the
        # terminal are left out, the last column first.
        def table
          rows = [header, *times, *counts, *file_calls]
          lines = aligned(rows)
          while @width && rows.first.size > 3 && lines.any? { |line| line.size > @width }
            rows.each(&:pop)
            lines = aligned(rows)
          end
          lines
        end

        def aligned(rows)
          widths = rows.transpose.map { |column| column.map(&:size).max }
          rows.map do |label, *cells|
            others = cells.zip(widths.drop(1)).map { |cell, width| cell.rjust(width) }
            [label.ljust(widths.first), *others].join("   ").rstrip
          end
        end

        def header
          pairs = @result.pairs.size
          ["", "stock", "frugal", "ratio", "range of #{pairs} #{pairs == 1 ? "pair" : "pairs"}"]
        end

        def times
          Result::MEASURES.map do |measure|
            ratio = @result.ratio(measure)
            [LABELS[measure], *%i[stock frugal].map { |side| Readable.seconds(@result.median(measure, side)) },
             Readable.ratio(ratio.median), "#{Readable.ratio(ratio.low)} – #{Readable.ratio(ratio.high)}"]
          end
        end

        def counts
          Result::COUNTS.filter_map do |name|
            sides = %i[stock frugal].map { |side| @result.count(name, side) }
            count_row(LABELS[name], *sides) if sides.all?
          end
        end

        def file_calls
          return [] unless @result.file_calls

          stock, frugal = @result.file_calls.values_at(:stock, :frugal)
          [count_row("file calls", stock.total, frugal.total),
           *@result.kinds.first(KINDS).map { |kind| count_row("  #{kind}", stock[kind].calls, frugal[kind].calls) }]
        end

        def count_row(label, before, after)
          [label, Readable.count(before), Readable.count(after), count_ratio(before, after), ""]
        end

        def count_ratio(before, after)
          return "same" if before == after

          before.zero? || after.zero? ? "-" : Readable.ratio(before.fdiv(after))
        end

        def next_step
          return @next_step if @next_step
          return "next: frugal doctor" unless Verdict.new(@result).kind == :faster

          "next: frugal run -- #{Readable.command(@result.command)}"
        end
      end
    end
  end
end

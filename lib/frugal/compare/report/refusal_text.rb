# frozen_string_literal: true

module Frugal
  class Compare
    module Report
      # The report about a command that fails: how it failed, and what to do next.
      class FailureText
        # @param result [Result] of a command that failed
        # @return [Array<String>] lines
        def self.of(result)
          failure = result.failure
          ["the command itself fails: #{failure.ending}; nothing was compared",
           *failure.tail.map { |line| "  #{line}" },
           "next: make it succeed, or frugal compare --ignore-failure -- #{Readable.command(result.command)}"]
        end
      end

      # The report about two sides that differ: the reason, the differences, and what to do next.
      class RefusalText
        WIDTH = 160 # characters; longer lines are cut
        private_constant :WIDTH

        # @param result [Result] a result with a refusal
        # @yieldparam verdict [String] the first line, which the caller may make bold
        # @return [Array<String>] lines
        def self.of(result, &bold) = new(result).lines(&bold)

        def initialize(result)
          @result = result
          @kind = result.refusal.kind
        end

        def lines
          verdict = block_given? ? yield(self.verdict) : self.verdict
          [verdict, *@result.refusal.differences.flat_map { |difference| difference_lines(difference) }, *advice]
        end

        private

        def verdict
          if @kind == :different
            "refused: frugal changes what the command does, so its times cannot be compared"
          else
            "refused: the command does something different each time: two runs without frugal differ"
          end
        end

        def difference_lines(difference)
          where = difference.line ? "#{difference.what}, from line #{difference.line}" : difference.what
          sides = [difference.before, difference.after].map { |lines| difference.line ? output(lines) : lines }
          ["", "#{where}:", *names.zip(sides).flat_map { |name, lines| lines.map { |line| "  #{name} | #{line}" } }]
        end

        def names = @kind == :different ? ["stock ", "frugal"] : ["stock      ", "stock again"]

        def output(lines) = lines.empty? ? ["(ends here)"] : lines.map { |line| visible(line) }

        # The line as it is, or inspected if it has invalid bytes, control characters or spaces at its end.
        def visible(line)
          text = line.chomp
          text = line.inspect unless text.valid_encoding? && text.match?(/\A[[:print:]]*\z/) && text == text.rstrip
          return "#{text[0, WIDTH]}…" if text.size > WIDTH

          line.end_with?("\n") ? text : "#{text} (no line end)"
        end

        def advice
          command = Readable.command(@result.command)
          if @kind == :different
            ["", "A drop-in must never do this: please report the command and the lines above.",
             "next: FRUGAL_VERBOSE=1 frugal run -- #{command}"]
          else
            ["", "Does it change its own tree? Restore the tree before each run: --prepare 'COMMAND'.",
             "Does it print times, pids or random numbers? Do not compare its output: --ignore-output.",
             "next: frugal compare --ignore-output -- #{command}"]
          end
        end
      end
    end
  end
end

# frozen_string_literal: true

module Frugal
  class Compare
    Difference = Struct.new(:what, :line, :before, :after, keyword_init: true)

    # One difference between two runs: either how they ended, or the first lines of
    # a stream that are not equal.
    #
    # `before` and `after` hold these lines, at most {SHOWN} each. `line` is the number
    # of the first one; it is nil for the ending.
    class Difference
      SHOWN = 3
      LINE_BYTES = 64 * 1024 # limit, because a binary stream may have no line ends

      class << self
        # @param before [Sample]
        # @param after [Sample]
        # @param output [Boolean] whether to compare the streams
        # @return [Array<Difference>] empty if the runs are equal
        def between(before, after, output: true)
          [ending(before, after), *(streams(before, after) if output)].compact
        end

        private

        def ending(before, after)
          return if before.ending == after.ending

          new(what: "exit status", before: [before.ending], after: [after.ending])
        end

        def streams(before, after)
          %i[stdout stderr].map { |stream| stream(stream.to_s, before[stream], after[stream]) }
        end

        def stream(what, before, after)
          File.open(before, "rb") do |old_io|
            File.open(after, "rb") do |new_io|
              number = 0
              loop do
                number += 1
                old_line = next_line(old_io)
                new_line = next_line(new_io)
                return nil if old_line.nil? && new_line.nil?
                next if old_line == new_line

                return new(what: what, line: number,
                           before: lines_from(old_line, old_io), after: lines_from(new_line, new_io))
              end
            end
          end
        end

        def next_line(io) = io.gets("\n", LINE_BYTES)

        def lines_from(line, io)
          lines = [line]
          lines << next_line(io) while lines.last && lines.size < SHOWN
          lines.compact.map { |bytes| bytes.force_encoding(Encoding::UTF_8) }
        end
      end
    end
  end
end

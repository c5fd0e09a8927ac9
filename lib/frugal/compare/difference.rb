# frozen_string_literal: true

module Frugal
  class Compare
    # One thing in which two runs differ: how they ended, or the first lines of
    # a stream that are not the same.
    #
    # +before+ and +after+ hold those lines, at most {SHOWN} of each; +line+ is
    # the number of the first, and nil for the ending.
    Difference = Struct.new(:what, :line, :before, :after, keyword_init: true)

    class Difference
      SHOWN = 3
      LINE_BYTES = 64 * 1024 # a "line" of a binary stream may be endless

      class << self
        # @param before [Sample]
        # @param after [Sample]
        # @param output [Boolean] whether the streams count
        # @return [Array<Difference>] empty when the runs are alike
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
          File.open(before, "rb") do |ours|
            File.open(after, "rb") do |theirs|
              number = 0
              loop do
                number += 1
                old = next_line(ours)
                new_line = next_line(theirs)
                return nil if old.nil? && new_line.nil?
                next if old == new_line

                return new(what: what, line: number, before: following(old, ours), after: following(new_line, theirs))
              end
            end
          end
        end

        def next_line(io) = io.gets("\n", LINE_BYTES)

        def following(line, io)
          lines = [line]
          lines << next_line(io) while lines.last && lines.size < SHOWN
          lines.compact.map { |bytes| bytes.force_encoding(Encoding::UTF_8) }
        end
      end
    end
  end
end

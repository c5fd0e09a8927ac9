# frozen_string_literal: true

module Frugal
  module CLI
    module Walk
      # Removes the line of progress and writes results to standard output. Errors of standard output have separate
      # classes, so that they are not mistaken for errors of the directories that are being read.
      #
      #   output = Output.new($stdout, progress)
      #   output.write("src/a.c\n")
      class Output
        # The reader of the results, such as head, has ended.
        class Closed < Error; end

        def initialize(io, progress)
          @io = io
          @progress = progress
        end

        # @return [IO]
        attr_reader :io

        def write(text)
          @progress.make_way
          attempt { @io.write(text) }
        end

        # Writes the buffered output while an error can still be reported.
        def finish = attempt { @io.flush }

        private

        def attempt
          yield
        rescue Errno::EPIPE
          raise Closed
        rescue SystemCallError, IOError => e
          raise Unwritten, e
        end
      end
    end
  end
end

# frozen_string_literal: true

module Frugal
  module CLI
    module Walk
      # The standard output: what is written there takes the place of the progress,
      # and its failures are told from those of directories that are read meanwhile.
      #
      #   output = Output.new($stdout, progress)
      #   output.write("src/a.c\n")
      class Output
        # The reader of the results, such as head, has seen enough.
        class Left < Error; end

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

        # What is still held back, while a failure can be told.
        def finish = attempt { @io.flush }

        private

        def attempt
          yield
        rescue Errno::EPIPE
          raise Left
        rescue SystemCallError, IOError => error
          raise Unwritten, error
        end
      end
    end
  end
end

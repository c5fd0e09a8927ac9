# frozen_string_literal: true

require_relative "../../readable"

module Frugal
  module CLI
    module Walk
      # One line of progress on a terminal, during a long walk. The line is removed before anything else is written to
      # the terminal.
      #
      #   progress = Progress.new($stderr, $stdout)
      #   progress.during { … progress.step … }
      class Progress
        DELAY = 1.0     # seconds before the first line
        INTERVAL = 0.25 # seconds between two lines

        # @param io [IO] where progress is shown, if it is a terminal
        # @param out [IO] where results are written
        # @param delay [Numeric] seconds before the first line
        def initialize(io, out, delay: DELAY)
          @io = io if io.tty?
          @shared = out.tty?
          @delay = delay
          @paths = 0
          @lock = Thread::Mutex.new
        end

        # Shows the progress while the block runs.
        def during(&block)
          return block.call unless @io

          begin
            ticker = Thread.new { tick }
            block.call
          ensure
            ticker&.kill&.join
            clear
          end
        end

        # Counts one more path.
        def step = @paths += 1

        # Removes the line before a result is written. If progress and results share a terminal, the line does not
        # return: the results show that the walk continues.
        def make_way
          return unless @io && @shared && !@quiet

          @quiet = true
          clear
        end

        # Removes the line while the block writes something else to the same terminal.
        def aside
          @lock.synchronize do
            wipe
            yield
          end
        end

        # Removes the line.
        def clear = aside {}

        private

        def wipe
          @io.print("\r\e[K") if @shown
          @shown = false
        end

        def tick
          start = now
          sleep(@delay)
          until @quiet
            show(now - start)
            sleep(INTERVAL)
          end
        end

        def show(seconds)
          @lock.synchronize do
            next if @quiet

            @shown = true
            @io.print("\r\e[Kfrugal: #{words(seconds)}")
          end
        end

        def words(seconds) = "walk: #{"#{count(@paths)} paths, " if @paths.positive?}#{seconds.floor} s …"

        def count(number) = Frugal::Readable.count(number)

        def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
      end
    end
  end
end

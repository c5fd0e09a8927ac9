# frozen_string_literal: true

module Frugal
  module CLI
    module Walk
      # One line on a terminal while a walk takes long, gone before anything else
      # is written there.
      #
      #   progress = Progress.new($stderr, $stdout)
      #   progress.during { … progress.step … }
      class Progress
        PATIENCE = 1.0 # seconds: a walk that is shorter needs no word
        PAUSE = 0.25   # seconds between two lines

        # @param io [IO] where it is shown, if that is a terminal
        # @param out [IO] where the results go
        # @param patience [Numeric] seconds in which nothing is shown
        def initialize(io, out, patience: PATIENCE)
          @io = io if io.tty?
          @shared = out.tty?
          @patience = patience
          @paths = 0
          @lock = Thread::Mutex.new
        end

        # Shows itself while the block runs.
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

        # One more path is known.
        def step = @paths += 1

        # Before a result is written: where they share a terminal, results say
        # enough.
        def make_way
          return unless @io && @shared && !@quiet

          @quiet = true
          clear
        end

        # Writes something else to the same terminal.
        def aside
          @lock.synchronize do
            wipe
            yield
          end
        end

        # Leaves the line as it was found.
        def clear = aside {}

        private

        def wipe
          @io.print("\r\e[K") if @shown
          @shown = false
        end

        def tick
          start = now
          sleep(@patience)
          until @quiet
            show(now - start)
            sleep(PAUSE)
          end
        end

        def show(seconds)
          @lock.synchronize do
            next if @quiet

            @shown = true
            @io.print("\r\e[Kfrugal: #{words(seconds)}")
          end
        end

        def words(seconds) = "walk: #{"#{grouped(@paths)} paths, " if @paths.positive?}#{seconds.floor} s …"

        def grouped(number) = number.to_s.gsub(/(?<=\d)(?=(?:\d{3})+\z)/, ",")

        def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
      end
    end
  end
end

# frozen_string_literal: true

module Frugal
  class Compare
    # One line on a terminal that says what is going on. With a heartbeat, it also
    # says how long a step takes, and where there is no terminal a line comes
    # before five seconds are over.
    #
    #   progress = Progress.new($stderr, heartbeat: true)
    #   progress.call("pair 1 of 5, stock")
    #   progress.clear
    class Progress
      BEAT = 1 # seconds
      SILENCE = 4 # seconds without a line, where there is no terminal
      private_constant :BEAT, :SILENCE

      # @param io [IO]
      # @param heartbeat [Boolean]
      def initialize(io, heartbeat: false)
        @io = io
        @terminal = io.tty?
        @heartbeat = heartbeat
        @said = now
      end

      # @param step [String]
      # @return [void]
      def call(step)
        @step = step
        @since = now
        @thread ||= Thread.new { beat } if @heartbeat
        show if @terminal
      end

      # @param line [String] that stays
      # @return [void]
      def say(line)
        @said = now
        @io.print(@terminal ? "\r\e[K#{line}\n" : "#{line}\n")
      end

      # @return [void] leaves the line as it was found
      def clear
        @thread&.kill&.join
        @thread = nil
        @io.print("\r\e[K") if @terminal
      end

      # @return [Proc] for a method that takes a block
      def to_proc = method(:call).to_proc

      private

      def beat
        loop do
          sleep BEAT
          if @terminal then show
          elsif now - @said >= SILENCE then say("frugal: #{line}")
          end
        end
      rescue SystemCallError, IOError
        nil # nobody reads it
      end

      def show = @io.print("\r\e[K#{line}")

      def line
        seconds = (now - @since).to_i
        seconds.zero? ? "#{@step} …" : "#{@step} … #{seconds} s"
      end

      def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    end
  end
end

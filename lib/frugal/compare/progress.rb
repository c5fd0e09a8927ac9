# frozen_string_literal: true

module Frugal
  class Compare
    # One line of progress on a terminal: the current step. With a heartbeat, the line also shows how long the step has
    # been running. If the output is not a terminal, the heartbeat prints a line at least every five seconds.
    #
    #   progress = Progress.new($stderr, heartbeat: true)
    #   progress.call("pair 1 of 5, stock")
    #   progress.clear
    class Progress
      HEARTBEAT_INTERVAL = 1 # seconds
      MAX_SILENCE = 4 # seconds without a line, if the output is not a terminal
      private_constant :HEARTBEAT_INTERVAL, :MAX_SILENCE

      # @param io [IO]
      # @param heartbeat [Boolean]
      def initialize(io, heartbeat: false)
        @io = io
        @terminal = io.tty?
        @heartbeat = heartbeat
        @last_line_at = now
      end

      # @param step [String]
      # @return [void]
      def call(step)
        @step = step
        @started_at = now
        @thread ||= Thread.new { run_heartbeat } if @heartbeat
        show if @terminal
      end

      # Prints a line that is not removed.
      #
      # @param line [String]
      # @return [void]
      def say(line)
        @last_line_at = now
        @io.print(@terminal ? "\r\e[K#{line}\n" : "#{line}\n")
      end

      # Removes the line of progress.
      #
      # @return [void]
      def clear
        @thread&.kill&.join
        @thread = nil
        @io.print("\r\e[K") if @terminal
      end

      # @return [Proc] calls {#call}, so that a progress can be passed as a block
      def to_proc = method(:call).to_proc

      private

      def run_heartbeat
        loop do
          sleep HEARTBEAT_INTERVAL
          if @terminal then show
          elsif now - @last_line_at >= MAX_SILENCE then say("frugal: #{line}")
          end
        end
      rescue SystemCallError, IOError
        nil # the output is closed
      end

      def show = @io.print("\r\e[K#{line}")

      def line
        seconds = (now - @started_at).to_i
        seconds.zero? ? "#{@step} …" : "#{@step} … #{seconds} s"
      end

      def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    end
  end
end

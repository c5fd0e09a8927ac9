# frozen_string_literal: true

module Frugal
  class Compare
    # One line on a terminal that says what is going on; nothing anywhere else.
    #
    #   progress = Progress.new($stderr)
    #   progress.call("pair 1 of 5, stock")
    #   progress.clear
    class Progress
      def initialize(io)
        @io = io if io.tty?
      end

      # @param step [String]
      # @return [void]
      def call(step)
        @io&.print("\r\e[K#{step} …")
      end

      # @return [void] leaves the line as it was found
      def clear
        @io&.print("\r\e[K")
      end

      # @return [Proc] for a method that takes a block
      def to_proc = method(:call).to_proc
    end
  end
end

# frozen_string_literal: true

module Frugal
  class Compare
    # A command that fails, which is not compared: what it does until then is not
    # what anybody wants to be faster.
    #
    # +ending+ is for people, +status+ what a shell would say (128 and the signal's
    # number for a signal), +tail+ the last lines that it printed.
    Failure = Struct.new(:ending, :status, :tail, keyword_init: true)

    class Failure
      LINES = 5
      BYTES = 4096 # of the end of a stream
      private_constant :LINES, :BYTES

      # @param sample [Sample] the run that failed
      # @return [Failure]
      def self.of(sample)
        status = sample.status
        new(ending: sample.ending, status: status.exitstatus || 128 + status.termsig,
            tail: [sample.stderr, sample.stdout].map { |stream| tail(stream) }.find(&:any?) || [])
      end

      def self.tail(stream)
        size = File.size(stream)
        Units.readable(IO.binread(stream, BYTES, [size - BYTES, 0].max).to_s).lines(chomp: true).last(LINES)
      end
      private_class_method :tail
    end
  end
end

# frozen_string_literal: true

module Frugal
  class Compare
    Failure = Struct.new(:ending, :status, :tail, keyword_init: true)

    # A failure of the command. A command that fails is not compared, because the time
    # until it fails is not of interest.
    #
    # `ending` is the text for the report, `status` the exit status that a shell would
    # return (128 plus the signal's number for a signal), `tail` the last lines that
    # the command printed.
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
        Readable.text(File.binread(stream, BYTES, [size - BYTES, 0].max).to_s).lines(chomp: true).last(LINES)
      end
      private_class_method :tail
    end
  end
end

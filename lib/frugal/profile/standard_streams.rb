# frozen_string_literal: true

require_relative "kinds"

module Frugal
  module Profile
    # Standard input, output and error as a program gets them. In one run they are files, in another a terminal or
    # pipes, on which no call is a file call. So that counts are equal in all runs, calls on them are left out.
    #
    #   streams = StandardStreams.new
    #   streams.counts(recording.counts, recording.calls)   # => { calls: 93, … }
    class StandardStreams
      DESCRIPTORS = (0..2)
      private_constant :DESCRIPTORS

      # Those of this process, which its children inherit.
      #
      # *Cost*: 3 system calls.
      def initialize
        @paths = DESCRIPTORS.filter_map { |descriptor| path(descriptor) }
      end

      # @param call [Call]
      # @return [Boolean] false for a call that opens a stream anew
      def include?(call)
        DESCRIPTORS.cover?(call.fd) && !call.path.nil? && @paths.include?(call.path.b) && !Kinds::OPENS.include?(call.name)
      end

      # @param totals [Hash{Symbol => Integer}] as of {Kinds.totals}
      # @param calls [Array<Call>]
      # @return [Hash{Symbol => Integer}] without the calls on these streams
      def counts(totals, calls)
        own = Kinds.totals(calls.select { |call| include?(call) }.map(&:name).tally)
        totals.merge(own) { |_, all, some| all - some }
      end

      private

      def path(descriptor)
        File.readlink("/proc/self/fd/#{descriptor}").b
      rescue SystemCallError
        nil # it is closed
      end
    end
  end
end

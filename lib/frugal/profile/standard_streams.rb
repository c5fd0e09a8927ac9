# frozen_string_literal: true

require_relative "kinds"

module Frugal
  module Profile
    # Standard input, output and error as a program gets them. In one run they are files; in another run they are a
    # terminal or pipes, and calls on them are not file calls. To get equal counts in all runs, calls on them are left
    # out.
    #
    #   streams = StandardStreams.new
    #   streams.counts(recording.by_name, recording.calls)   # => { calls: 93, … }
    class StandardStreams
      DESCRIPTORS = (0..2)
      private_constant :DESCRIPTORS

      # The streams of this process, which its children inherit, or the given ones.
      #
      # *Cost*: 3 system calls.
      #
      # @param paths [Array<String>, nil] of files, absolute and without links
      def initialize(paths = nil)
        @paths = paths&.map(&:b) || DESCRIPTORS.filter_map { |descriptor| path(descriptor) }
      end

      # @param call [Call]
      # @return [Boolean] whether the call is on one of these streams; false for a call that opens a file again
      def include?(call)
        DESCRIPTORS.cover?(call.fd) && !call.path.nil? && @paths.include?(call.path.b) && !Kinds::OPENS.include?(call.name)
      end

      # @param by_name [Hash{Symbol => Integer}] calls by the name of the function, and exceptions as +:raise+
      # @param calls [Array<Call>]
      # @return [Hash{Symbol => Integer}] by name, without the calls on these streams
      def without(by_name, calls)
        own = calls.select { |call| include?(call) }.map(&:name).tally
        by_name.to_h { |name, count| [name, count - own.fetch(name, 0)] }.select { |_, count| count.positive? }
      end

      # @param (see #without)
      # @return [Hash{Symbol => Integer}] as of {Kinds.totals}, without the calls on these streams
      def counts(by_name, calls) = Kinds.totals(without(by_name, calls))

      private

      def path(descriptor)
        File.readlink("/proc/self/fd/#{descriptor}").b
      rescue SystemCallError
        nil # the stream is closed
      end
    end
  end
end

# frozen_string_literal: true

require_relative "../profile/standard_streams"

module Frugal
  class Compare
    # The file calls and the exceptions of one run and all its processes, as `frugal profile` and `frugal budget` count
    # them: calls of functions of libc that reach the file system, without those on standard input, output and error.
    #
    #   calls = FileCalls.of(recording, streams)
    #   calls.total            # => 90432
    #   calls["stat"].calls    # => 70180
    class FileCalls
      Kind = Struct.new(:calls, :errors)
      NONE = Kind.new(0, 0).freeze

      # *Cost*: two passes over the calls.
      #
      # @param recording [Profile::Recording]
      # @param streams [Profile::StandardStreams] the standard streams of the command
      # @return [FileCalls]
      def self.of(recording, streams)
        counts = streams.without(recording.by_name, recording.calls)
        raised = counts.delete(:raise).to_i
        errors = recording.calls.select { |call| call.failed? && !streams.include?(call) }.map(&:name).tally
        kinds = counts.to_h { |name, calls| [name.to_s, Kind.new(calls, errors.fetch(name, 0))] }
        new(kinds, exceptions: recording.processes.any?(&:ruby) ? raised : nil, notes: recording.notes)
      end

      # @return [Hash{String => Kind}] name of the function → calls, and how many of them failed
      attr_reader :kinds
      # @return [Integer, nil] raised exceptions, including rescued ones; nil if no process was known to run Ruby
      attr_reader :exceptions
      # @return [Array<String>] notes on the events that could not be recorded, with reasons
      attr_reader :notes

      def initialize(kinds, exceptions: nil, notes: [])
        @kinds = kinds
        @exceptions = exceptions
        @notes = notes
      end

      # @return [Kind] with zero calls for a function that was not called
      def [](name) = kinds.fetch(name, NONE)

      # @return [Integer]
      def total = kinds.values.sum(&:calls)
    end
  end
end

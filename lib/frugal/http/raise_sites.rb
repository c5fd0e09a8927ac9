# frozen_string_literal: true

require_relative "../native"

module Frugal
  module HTTP
    # Says which errors a log shows whole: the first from each place that raises
    # them, then each n-th, so that a client who asks for the same error a million
    # times fills no disk, and every kind of error is seen.
    #
    #   sites = RaiseSites.new
    #   sites.whole?(error)   # => true
    #   sites.whole?(again)   # => false, 998 times
    #
    # A place is the class and the innermost eight frames: a finder that raises is called
    # from more than one. All threads may ask.
    #
    # *Cost*: no system call; one String at most, at any depth, under MRI 3.1, 3.3, 3.4 and 4.0
    # with the C engine; elsewhere what backtrace_locations costs, an object for each frame.
    class RaiseSites
      # So many places are told apart. The others, in a program that makes up its
      # lines or its classes, are counted as one: neither memory nor log grows.
      LIMIT = 1_000
      NAME = Module.instance_method(:name)
      private_constant :NAME

      # @param every [Integer] after the first, one of so many is whole
      def initialize(every: 1_000)
        @every = every
        @seen = {}
        @lines = {} # place => what its log shows of each error
        @lock = Mutex.new
      end

      # @param error [Exception]
      # @param every [Integer] 1: all are whole
      # @return [Boolean] whether this one is to be shown with its trace
      def whole?(error, every = @every)
        site = site(error)
        count = @lock.synchronize do
          site = nil unless @seen.key?(site) || @seen.size < LIMIT
          @seen[site] = @seen.fetch(site, 0) + 1
        end
        count == 1 || (count % every).zero?
      end

      # Keeps what the log is to show of each error from this one's place.
      #
      # @param error [Exception] one that is shown whole
      # @param line [String, nil] of its trace
      # @return [void]
      # *Cost*: as above.
      def keep(error, line)
        return unless line

        site = site(error)
        @lock.synchronize { @lines[site] = -line if @seen.key?(site) }
      end

      # @param error [Exception]
      # @return [String, nil] what was kept for its place
      # *Cost*: as above.
      def line(error)
        site = site(error)
        @lock.synchronize { @lines[site] }
      end

      # @return [Integer] how many places are known
      def size = @seen.size

      private

      def site(error)
        name = NAME.bind_call(error.class)
        place = Native.engine.raise_site(error)
        place ? place ^ name.hash : "#{name}:#{error.backtrace&.first}"
      end
    end
  end
end

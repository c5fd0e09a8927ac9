# frozen_string_literal: true

require_relative "../native"

module Frugal
  module HTTP
    # Decides which errors are logged with their backtrace: the first error of each raise site, then
    # every n-th. So the log shows each kind of error, but a client that causes the same error a million
    # times cannot fill the disk.
    #
    #   sites = RaiseSites.new
    #   sites.log_trace?(error)   # => true
    #   sites.log_trace?(error)   # => false, for the next 998 errors of the same site
    #
    # A raise site is an error's class and its innermost eight frames: one frame would not be enough, because a
    # finder that raises has many callers. May be used by several threads.
    #
    # *Cost*: no system call; one String at most, at any depth, under MRI 3.1, 3.3, 3.4 and 4.0
    # with the C engine; elsewhere the cost of `backtrace_locations`, an object for each frame.
    class RaiseSites
      # The number of sites that are counted separately. All others count as one site, so memory and log stay small in
      # a program that generates code or classes.
      LIMIT = 1_000
      NAME = Module.instance_method(:name)
      private_constant :NAME

      # @param every [Integer] after a site's first error, every n-th is logged with its backtrace
      def initialize(every: 1_000)
        @every = every
        @seen = {}
        @lines = {}.freeze # site => the line that is logged for each error; replaced, so readers need no lock
        @lock = Mutex.new
      end

      # @param error [Exception]
      # @return [Object] its raise site, for the methods below
      def site(error)
        name = NAME.bind_call(error.class)
        frames = Native.engine.raise_site(error)
        frames ? frames ^ name.hash : "#{name}:#{error.backtrace&.first}"
      end

      # @param error [Exception]
      # @param every [Integer] 1 for all errors
      # @param site [Object] the error's raise site
      # @return [Boolean] whether this error is to be logged with its backtrace
      def log_trace?(error, every = @every, site: site(error))
        count = @lock.synchronize do
          site = nil unless @seen.key?(site) || @seen.size < LIMIT
          @seen[site] = @seen.fetch(site, 0) + 1
        end
        count == 1 || (count % every).zero?
      end

      # Keeps the line of the backtrace that the log shows for the other errors of this site.
      #
      # @param site [Object] of an error that is logged with its backtrace
      # @param line [String, nil] of its backtrace
      # @return [void]
      def keep(site, line)
        return if line.nil? || @lines[site] == line

        @lock.synchronize { @lines = @lines.merge(site => -line).freeze if @seen.key?(site) }
      end

      # @param site [Object]
      # @return [String, nil] the line that was kept for this site
      # *Cost*: no object.
      def line(site) = @lines[site]

      # @return [Integer] the number of counted sites
      def size = @seen.size
    end
  end
end

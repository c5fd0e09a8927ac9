# frozen_string_literal: true

require_relative "loader"
require_relative "error"
require_relative "profile/run"
require_relative "profile/standard_streams"
require_relative "cost/limits"

module Frugal
  # The cost of a block of Ruby: its file calls, its exceptions, the objects that it allocates.
  #
  #   cost = Frugal::Cost.of { File.stat("Gemfile") }
  #   cost.counts         # => { syscalls: 1, stats: 1, opens: 0, reads: 0, writes: 0, exceptions: 0, allocations: 4 }
  #   cost.events.first   # => #<struct Frugal::Profile::Call name=:stat, path="/app/Gemfile", …>
  #   cost.value          # => #<File::Stat …>
  #
  # File calls are calls of functions of the C library that reach the file system. Only calls and exceptions of the
  # thread that calls the block count, not those of other threads and processes. Calls on standard input, output and
  # error do not count, since these are files only in some runs. The first two calls of a block may cost more than later
  # calls: they load files, and Ruby fills its caches with objects.
  #
  # The garbage collector is off while the block runs, because it closes files that other code has left open. Only one
  # block is measured at a time: other threads wait.
  #
  # `require "frugal/minitest"` and `require "frugal/rspec"` have assertions for costs.
  class Cost
    # Costs cannot be counted in this process. The message is the reason.
    class Unavailable < Error; end

    LOCK = Thread::Mutex.new
    private_constant :LOCK

    # @return [Hash{Symbol => Integer}] for each of {Limits::NAMES}. `allocations` counts the objects of all threads
    attr_reader :counts
    # @return [Array<Profile::Call, Profile::Raise>] in the order of time
    attr_reader :events
    # @return [Object] the value of the block
    attr_reader :value

    class << self
      # *Cost*: the first use in a process loads the recorder; each use maps memory, and makes no file call.
      #
      # @yield once; its exceptions pass through
      # @return [Cost]
      # @raise [Unavailable] if costs cannot be counted in this process
      # @raise [UsageError] in a block that is itself measured
      def of(&block)
        raise UsageError, "a block that is measured cannot measure another one" if LOCK.owned?

        LOCK.synchronize do
          recorder = self.recorder
          without_collector { measure(recorder, &block) }
        end
      end

      # @return [Boolean] whether the recorder can be loaded
      def available?
        LOCK.owned? || LOCK.synchronize { !recorder.nil? }
      rescue Unavailable
        false
      end

      private

      # The recorder is kept, because a process that has given up its privileges may no longer read the library.
      #
      # @return [Module] Frugal::Recorder
      # @raise [Unavailable]
      def recorder
        @recorder ||= begin
          require Profile::Run.library
          Frugal::Recorder
        end
      rescue Error, LoadError => e
        raise Unavailable, "costs cannot be counted: #{e.message}"
      end

      # Lets pending finalizers run before the block.
      def without_collector
        disabled = GC.disable
        Thread.pass
        yield
      ensure
        GC.enable unless disabled
      end

      def measure(recorder)
        start(recorder)
        begin
          before = allocated
          value = yield
          allocations = allocated - before
        ensure
          bytes = recorder.stop
        end
        new(Profile::Log.new(bytes), allocations, value)
      end

      def start(recorder)
        recorder.start
      rescue RuntimeError => e
        raise Unavailable, "costs cannot be counted: #{e.message}"
      end

      # Returns the number of allocated objects. Allocates no object itself.
      def allocated = GC.stat(:total_allocated_objects)
    end

    # @param log [Profile::Log]
    # @param allocations [Integer]
    # @param value [Object]
    def initialize(log, allocations, value)
      streams = Profile::StandardStreams.new
      kinds = streams.counts(log.process.counts, log.calls)
      @counts = { syscalls: kinds.delete(:calls), **kinds, allocations: allocations }
      @events = (log.calls.reject { |call| streams.include?(call) } + log.raises).sort_by(&:time)
      @value = value
    end
  end
end

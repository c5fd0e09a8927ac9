# frozen_string_literal: true

require_relative "published"
require_relative "error"
require_relative "native"
require_relative "profile/kinds"
require_relative "cost/limits"
require_relative "cost/event"

module Frugal
  # What a block of Ruby costs: its file calls, its exceptions, the objects that it allocates.
  #
  #   cost = Frugal::Cost.of { File.stat("Gemfile") }
  #   cost.counts         # => { syscalls: 1, stats: 1, opens: 0, reads: 0, writes: 0, exceptions: 0, allocations: 2 }
  #   cost.events.first   # => #<struct Frugal::Cost::Event name=:stat, path="/app/Gemfile", …>
  #   cost.value          # => #<File::Stat …>
  #
  # File calls are calls of functions of the C library that reach the file system. Calls and exceptions of the thread
  # that calls the block count, those of other threads and processes do not. The first call of a block may cost more
  # than the next: it loads files, and Ruby fills its caches with objects.
  #
  # `require "frugal/minitest"` and `require "frugal/rspec"` have assertions for it.
  class Cost
    # Costs cannot be counted in this process. The message says why.
    class Unavailable < Error; end

    # @return [Hash{Symbol => Integer}] for each of {Limits::NAMES}. Objects are those of all threads
    attr_reader :counts
    # @return [Array<Event>] calls and exceptions in the order of time; of very many, only the first
    attr_reader :events
    # @return [Object] of the block
    attr_reader :value

    class << self
      # *Cost*: the first use in a process loads the recorder; after that, no file call.
      #
      # @yield once; what it raises passes through
      # @return [Cost]
      # @raise [Unavailable] if nothing can be counted in this process
      def of(&block)
        allocations = nil
        counts, events, value = recorder.measure do
          before = allocated
          value = block.call
          allocations = allocated - before
          value
        end
        new(counts, events, allocations, value)
      end

      # @return [Boolean]
      def available?
        !recorder.nil?
      rescue Unavailable
        false
      end

      private

      # The recorder is in this process already if the process was started under it, as by `frugal profile`.
      def recorder
        require "#{__dir__}/native/#{Native::ABI}/recorder" unless defined?(Frugal::Recorder)
        return Frugal::Recorder if Frugal::Recorder.attach

        raise Unavailable, "costs cannot be counted: the recorder cannot be attached to this process"
      rescue LoadError
        raise Unavailable, "costs cannot be counted: the recorder is not compiled for #{Native::ABI} (on Linux, with " \
                           "MRI, reinstall frugal where there is a C compiler, or run bin/setup in a checkout)"
      end

      # Allocates nothing itself.
      def allocated = GC.stat(:total_allocated_objects)
    end

    # @param by_name [Hash{Symbol => Integer}] by the name of the function; exceptions as +:raise+
    # @param events [Array<Array>] the members of {Event}
    # @param allocations [Integer]
    # @param value [Object]
    def initialize(by_name, events, allocations, value)
      kinds = Profile::Kinds.totals(by_name)
      @counts = { syscalls: kinds.delete(:calls), **kinds, allocations: allocations }
      @events = events.map { |event| Event.new(*event) }
      @value = value
    end
  end
end

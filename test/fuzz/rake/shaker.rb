# frozen_string_literal: true

module RakeFuzz
  # Makes threads run in another order: a thread sometimes sleeps at the start of a call,
  # and others overtake it. Ruby may switch threads at any call, so a program under the
  # shaker has no outcome that it cannot have without it.
  #
  #   Shaker.new(7).shake { Rake.application.run }
  class Shaker
    # Seconds after which no thread sleeps any more, so that a case does not count as hung.
    TIME_LIMIT = 0.5
    NAPS = [0, 0.002, 0.01, 0.05, 0.2].freeze
    # Calls at which threads wait for each other, each with possible probabilities of a sleep.
    CALLS = [[Rake::Promise.instance_method(:chore), [0.3, 0.6, 1]],
             [Rake::Task.instance_method(:invoke_with_call_chain), [0, 0.03, 0.2]],
             [Fuzz.method(:log), [0, 0.05, 0.2]]].freeze

    # @param seed [Integer] of the random sleeps; the system still decides about the order
    def initialize(seed)
      @random = Random.new(seed)
      @never_sleeps = pick([Thread.current, nil]) # all other threads may be slower than the one that builds
    end

    def shake
      @until = clock + TIME_LIMIT
      traces = CALLS.map do |method, chances|
        chance = pick(chances)
        TracePoint.new(:call) { nap(chance) }.tap { |trace| trace.enable(target: method) }
      end
      yield
    ensure
      traces&.each(&:disable)
    end

    private

    def nap(chance)
      return if Thread.current.equal?(@never_sleeps) || @random.rand >= chance || clock > @until

      sleep(pick(NAPS))
    end

    def pick(list) = list[@random.rand(list.size)]

    def clock = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  end
end

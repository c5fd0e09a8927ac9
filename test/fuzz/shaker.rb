# frozen_string_literal: true

module RakeFuzz
  # Makes threads take turns in another order: a thread that begins something sleeps
  # now and then, and others overtake it. Ruby may switch threads at any call, so a
  # program under the shaker gives only answers that it can give without it.
  #
  #   Shaker.new(7).shake { Rake.application.run }
  class Shaker
    # Seconds after which nobody sleeps any more: a case must not seem to hang.
    PATIENCE = 0.5
    NAPS = [0, 0.002, 0.01, 0.05, 0.2].freeze
    # Where threads meet; how often each call is slow, from run to run.
    CALLS = [[Rake::Promise.instance_method(:chore), [0.3, 0.6, 1]],
             [Rake::Task.instance_method(:invoke_with_call_chain), [0, 0.03, 0.2]], [Fuzz.method(:log), [0, 0.05, 0.2]]].freeze

    # @param seed [Integer] of the random numbers; the order stays the system's choice
    def initialize(seed)
      @random = Random.new(seed)
      @hurried = pick([Thread.current, nil]) # the others may all be slower than the one that builds
    end

    def shake
      @until = clock + PATIENCE
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
      return if Thread.current.equal?(@hurried) || @random.rand >= chance || clock > @until

      sleep(pick(NAPS))
    end

    def pick(list) = list[@random.rand(list.size)]

    def clock = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  end
end

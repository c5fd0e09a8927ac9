# frozen_string_literal: true

# Limits the time of each test. A test that hangs fails, with a backtrace of the place where it
# waited, and the other tests run. TEST_TIME_LIMIT is the limit in seconds; 0 means no limit.
module TimeLimit
  # Not a StandardError, because the test or the tested code may rescue that.
  class Exceeded < Exception; end # rubocop:disable Lint/InheritException

  SECONDS = Integer(ENV.fetch("TEST_TIME_LIMIT", "300"))
  GRACE = 30 # seconds for the ensure clauses of the test; then the process is aborted
  Running = Struct.new(:test, :thread, :ends) do
    def to_s = "#{test.class}##{test.name}"
  end
  private_constant :GRACE, :Running

  class << self
    # @param test [Minitest::Test, nil] the test that starts; nil when it has ended
    def watch(test)
      @running = test && Running.new(test, Thread.current, now + SECONDS)
      @watcher = Thread.new { loop { check } } unless SECONDS.zero? || @watcher&.alive? # a fork has no watcher yet
    end

    private

    def check
      sleep 1
      running = @running
      return unless running && now > running.ends
      return interrupt(running) unless @interrupted.equal?(running)

      abort "#{running} does not end:\n#{running.thread.backtrace.join("\n")}" if now > running.ends + GRACE
    end

    def interrupt(running)
      @interrupted = running
      running.thread.raise(Exceeded, "#{running} took more than #{SECONDS} s (TEST_TIME_LIMIT)")
    end

    def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  end

  def before_setup
    TimeLimit.watch(self)
    super
  end

  def after_teardown
    super
  ensure
    TimeLimit.watch(nil)
  end
end

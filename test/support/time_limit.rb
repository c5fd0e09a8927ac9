# frozen_string_literal: true

require_relative "hang"

# Ends a test that hangs: it fails, with a backtrace of the place where it waited, and the other tests run. A test
# that is slow goes on, see {Hang}. TEST_TIME_LIMIT is in seconds; 0 means no limit.
module TimeLimit
  # Not a StandardError, because the test or the tested code may rescue that.
  class Exceeded < Exception; end # rubocop:disable Lint/InheritException

  SECONDS = Integer(ENV.fetch("TEST_TIME_LIMIT", "300"))
  GRACE = 30 # looks, one each second, during which the ensure clauses of the test may run; then the process is aborted
  Running = Struct.new(:test, :thread, :hang, :grace) do
    def to_s = "#{test.class}##{test.name}"
  end
  private_constant :GRACE, :Running

  class << self
    # @param test [Minitest::Test, nil] the test that starts; nil when it has ended
    def watch(test)
      @running = test && Running.new(test, Thread.current, Hang.new(Process.pid, SECONDS), nil)
      @watcher = Thread.new { loop { check } } unless SECONDS.zero? || @watcher&.alive? # a fork has no watcher yet
    end

    private

    def check
      sleep 1
      running = @running or return
      return interrupt(running) if running.grace.nil? && running.hang.found?

      running.grace -= 1 if running.grace
      abort "#{running} does not end:\n#{running.thread.backtrace.join("\n")}" if running.grace&.zero?
    end

    def interrupt(running)
      running.grace = GRACE
      running.thread.raise(Exceeded, "#{running} took more than #{SECONDS} s (TEST_TIME_LIMIT), and #{running.hang.reason}")
    end
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

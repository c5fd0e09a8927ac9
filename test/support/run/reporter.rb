# frozen_string_literal: true

require "minitest"

class TestRun
  # Reports each test of a leg to the process that started it, at once, with a line of standard output that has marks,
  # instead of what minitest prints:
  #
  #   [:starts, "WalkTest#test_a"]
  #   [:passed, "WalkTest#test_a", 0.01, 0.3]           # or :skipped with the reason, :failed with the text of the failure
  #   [:through]
  class Reporter < Minitest::AbstractReporter
    MARK = "\u001E"
    OUT = STDOUT.dup.tap { |io| io.close_on_exec = true } # a test may replace the other one

    def initialize(options)
      super()
      @seed = options[:seed]
      @failed = false
    end

    def prerecord(test, name)
      @before = processor_time
      tell(:starts, "#{test.name}##{name}")
    end

    def record(result)
      told = ["#{result.class_name}##{result.name}", result.time, processor_time - @before]
      return tell(:passed, *told) if result.passed?
      return tell(:skipped, *told, result.failure.message) if result.skipped?

      @failed = true
      tell(:failed, *told, "#{result.to_s.chomp}\n(seed #{@seed})")
    end

    def report = tell(:through)
    def passed? = !@failed

    private

    # Of this process and of its children that have ended, in seconds.
    def processor_time = Process.times.sum

    def tell(*event)
      $stdout.flush
      OUT.syswrite("#{MARK}#{[Marshal.dump(event)].pack("m0")}#{MARK}\n")
    end
  end
end

# minitest calls it when it has read its options.
module Minitest
  def self.plugin_test_run_init(options)
    reporter.reporters.replace([TestRun::Reporter.new(options)])
  end
  extensions << "test_run"
end

# frozen_string_literal: true

require "minitest"

class TestRun
  # Reports each test of a leg to the process that started it, at once, with a line of standard output that has marks,
  # instead of what minitest prints:
  #
  #   [:starts, "WalkTest#test_a"]
  #   [:passed, "WalkTest#test_a", 0.01]                # or :skipped with the reason, :failed with the text of the failure
  #   [:through]
  class Reporter < Minitest::AbstractReporter
    MARK = "\u001E"
    OUT = STDOUT.dup.tap { |io| io.close_on_exec = true } # a test may replace the other one

    def initialize(options)
      super()
      @seed = options[:seed]
      @failed = false
    end

    def prerecord(test, name) = tell(:starts, "#{test.name}##{name}")

    def record(result)
      name = "#{result.class_name}##{result.name}"
      return tell(:passed, name, result.time) if result.passed?
      return tell(:skipped, name, result.time, result.failure.message) if result.skipped?

      @failed = true
      tell(:failed, name, result.time, "#{result.to_s.chomp}\n(seed #{@seed})")
    end

    def report = tell(:through)
    def passed? = !@failed

    private

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

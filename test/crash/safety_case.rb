# frozen_string_literal: true

require_relative "../test_helper"
require_relative "campaigns"

# Helpers of the safety tests.
class SafetyCase < Frugal::TestCase
  SEED = Integer(ENV.fetch("CRASH_SEED", "5"))

  def setup
    skip "the workers fork, which JRuby cannot" unless Process.respond_to?(:fork)
  end

  # Runs the subject in a worker process.
  def with_subject(name, &block)
    subject = Safety::Subject.new(name)
    skip subject.missing if subject.missing
    Safety::WorkerProcess.open(subject, &block)
  end

  # Asserts that no result violates the guarantees of the subject.
  #
  # @yieldreturn [Object, Array] the result of a campaign, or an array of them
  def assert_kept(name)
    with_subject(name) do |worker|
      results = yield(worker)
      (results.is_a?(Array) ? results : [results]).each do |result|
        puts "\n#{result}" if ENV["CRASH_VERBOSE"]
        assert_empty Safety::Guarantees.new(worker.subject).violations(result), [result, *result.examples].join("\n")
      end
    end
  end

  # For the control: asserts that the campaign finds these violations.
  def assert_broken(result, *kinds)
    puts "\ncontrol: #{result}" if ENV["CRASH_VERBOSE"]
    kinds.each { |kind| assert_operator result.public_send(kind), :>, 0, "#{kind}: #{result}" }
    result
  end

  def needs_strace
    skip "strace, which records system calls, is not installed" unless Safety::TracedFork.available?
  end
end

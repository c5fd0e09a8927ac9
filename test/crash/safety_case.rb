# frozen_string_literal: true

require_relative "../test_helper"
require_relative "campaigns"

# What the tests of safety share: subjects that are here, and promises kept.
class SafetyCase < Frugal::TestCase
  SEED = Integer(ENV.fetch("CRASH_SEED", "5"))

  def setup
    skip "a subject is a process that forks, which JRuby cannot" unless Process.respond_to?(:fork)
  end

  # One subject, in a process of its own.
  def with_subject(name, &block)
    subject = Safety::Subject.new(name)
    skip subject.missing if subject.missing
    Safety::Host.open(subject, &block)
  end

  # @yield [host] answers a result, or an array of them
  def assert_kept(name)
    with_subject(name) do |host|
      results = yield(host)
        (results.is_a?(Array) ? results : [results]).each do |result|
        puts "\n#{result}" if ENV["CRASH_VERBOSE"]
        assert_empty Safety::Promise.new(host.subject).broken_by(result), [result, *result.examples].join("\n")
      end
    end
  end

  # The control: stock fails where it fails, and says how often.
  def assert_broken(result, *kinds)
    puts "\ncontrol: #{result}" if ENV["CRASH_VERBOSE"]
    kinds.each { |kind| assert_operator result.public_send(kind), :>, 0, "#{kind}: #{result}" }
    result
  end

  def needs_strace
    skip "system calls are recorded with strace, which is not here" unless Safety::TracedFork.available?
  end
end

# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/rails_case"

# How the Rails drop-in shortens the log, and what an error then costs.
class RailsLogTest < Frugal::TestCase
  include RailsCase

  TIMES = 6 # requests for each path
  EVERY = 3 # the setting trace_every
  # The line of the log with the error's message, by path.
  MESSAGES = {
    "/gone" => /Gone \(no such thing\)/, "/missing_on_nil" => /undefined method [`']upcase_it'/,
    "/nowhere" => /No route matches/, "/partial" => /Template::Error \(Couldn't find Item/
  }.freeze

  # The backtrace is logged for the first error of each raise site, then for every third.
  def test_the_log_has_the_first_backtrace_of_a_raise_site_and_then_every_nth
    requests = gets(*MESSAGES.keys.flat_map { |path| [path] * TIMES })
    full_logs, logs = stock_and_dropin(requests, only_dropin: { trace_every: EVERY })
                      .map { |seen| seen.map { |one| one["log"] }.each_slice(TIMES) }
    first_lines = 0
    MESSAGES.zip(full_logs, logs) do |(path, message), (full_log, *), logs_of_path|
      logs_of_path.each.with_index(1) do |log, number|
        next assert_equal(full_log, log, "#{path}, number #{number}") if number == 1 || (number % EVERY).zero?

        assert_short(log, full_log, path, message)
        first_lines += 1 if path != "/nowhere" && assert_first_line(log, full_log, path)
      end
    end
    assert_operator first_lines, :>=, 4
  end

  def test_a_subscriber_sees_the_decorated_message
    seen = with_dropin(gets("/key", "/key", watched: true), trace_every: 1000).last
    message = seen["events"].find { |name,| name == "process_action.action_controller" }[3].last
    assert_includes message, "key not found"
    assert_equal RUBY_VERSION < "3.2", message.include?(":apple") # from then on, spelling suggestions are not a part of it
    refute_includes seen["log"].join, ":apple"
  end

  # No backtrace becomes strings or objects.
  def test_allocations_do_not_depend_on_the_depth
    requests = gets(*%w[/gone?depth=1] * 4, *%w[/gone?depth=200] * 4, count: true)
    shallow, deep = with_dropin(requests, trace_every: 1000).map { |seen| seen["allocated"] }.each_slice(4).map(&:last)
    assert_in_delta shallow, deep, 4 # the parameter with the depth has more digits
  end

  def test_an_unknown_route_raises_nothing
    counts = with_dropin(gets("/gone", *%w[/nowhere] * 4, count: true), trace_every: 1000).map { |seen| seen["raised"] }
    assert_equal [1, 0, 0, 0], counts.last(4) # the first is raised, because the log shows its backtrace
  end

  private

  def assert_short(log, full_log, path, message)
    assert_operator log.size, path == "/nowhere" ? :<= : :<, full_log.size, path
    refute_empty log.grep(message), log.join
    assert_empty log - full_log - log.grep(/undefined method/)
  end

  # @return [String, nil] the line where the application raised the error
  def assert_first_line(log, full_log, path)
    line = full_log.find { |text| text.match?(/\.e?rb:\d+\s*\z/) }
    assert_includes log, line, "#{path}: where it was raised" if line
    line
  end
end

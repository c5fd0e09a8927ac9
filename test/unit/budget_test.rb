# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/recordings"
require "frugal/budget"
require "json"

class BudgetTest < Frugal::TestCase
  include Recordings

  EVENTS = [*[[:stat, "/app/a.rb", 3]] * 4, *[[:lstat, "/app/b.rb", 9]] * 2, [:open, "/app/a.rb", 3],
            [:readlink, nil, nil], [:fork, nil, nil], *[[:raise, "/app/c.rb", 1]] * 2].freeze

  def test_counts_are_those_of_the_recording
    counts = check({}).counts
    assert_equal({ calls: 9, stats: 6, opens: 1, reads: 1, writes: 0, exceptions: 2 }, counts)
  end

  def test_within_at_the_limit_and_over_above_it
    exact = { calls: 9, stats: 6, opens: 1, reads: 1, writes: 0, exceptions: 2 }
    assert_predicate check(exact), :within?
    exact.each do |name, number|
      next if number.zero?

      over = check({ **exact, name => number - 1 }).excesses
      assert_equal [[name, number - 1, number, 1]], over.map { |one| [one.limit, one.most, one.count, one.over] }
    end
  end

  def test_the_lines_that_make_most_of_it
    over = check({ stats: 0, exceptions: 0, calls: 0 }).excesses.to_h { |one| [one.limit, one.lines.map(&:to_a)] }
    assert_equal %i[calls stats exceptions], over.keys
    assert_equal [["/app/a.rb", 3, 4, 4 / 6.0], ["/app/b.rb", 9, 2, 2 / 6.0]], over[:stats]
    assert_equal [["/app/a.rb", 3, 5, 5 / 9.0], ["/app/b.rb", 9, 2, 2 / 9.0], [nil, nil, 2, 2 / 9.0]].sort_by(&:to_s),
                 over[:calls].sort_by(&:to_s)
    assert_equal [["/app/c.rb", 1, 2, 1.0]], over[:exceptions]
  end

  def test_five_lines_at_most_in_a_fixed_order
    events = (1..9).map { |line| [:stat, "/app/a.rb", line] }
    lines = [events, events.reverse].map do |all|
      Frugal::Budget.new(stats: 0).check(recording(all)).excesses.first.lines.map(&:line)
    end
    assert_equal [[1, 2, 3, 4, 5]] * 2, lines
  end

  # There may be no room for events, but they are counted.
  def test_events_without_room_count
    result = Frugal::Budget.new(stats: 1).check(recording([[:stat, "/a", 1]], unrecorded: { stat: 3 }))
    over = result.excesses.first
    assert_equal [4, 3, [["/a", 1, 1, 0.25]]], [over.count, over.over, over.lines.map(&:to_a)]
  end

  def test_wrong_limits
    assert_match(/\Aunknown limit: stat \(available: calls, stats, /, refused { Frugal::Budget.new(stat: 1) })
    assert_equal "stats: must be 0 or more (got -1)", refused { Frugal::Budget.new(stats: -1) }
  end

  def test_the_document
    document = JSON.parse(JSON.generate(check({ stats: 5 }, argv: ["ruby", "\xFF".b]).to_h))
    assert_equal [1, ["ruby", "\uFFFD"], { "exit" => nil, "signal" => nil }, false, { "stats" => 5 }],
                 document.values_at("version", "command", "status", "within", "limits")
    lines = [{ "file" => "/app/a.rb", "line" => 3, "count" => 4, "share" => 4 / 6.0 },
             { "file" => "/app/b.rb", "line" => 9, "count" => 2, "share" => 2 / 6.0 }]
    assert_equal [{ "limit" => "stats", "most" => 5, "count" => 6, "over" => 1, "lines" => lines }], document["over"]
  end

  def test_the_status_in_the_document
    { "exit 3" => { exit: 3, signal: nil }, "kill -TERM $$" => { exit: nil, signal: "SIGTERM" } }.each do |script, status|
      system("/bin/sh", "-c", script)
      result = Frugal::Budget.new({}).check(recording([], status: $?))
      assert_equal status, result.to_h[:status]
      refute_predicate result, :success?
    end
  end

  private

  def check(limits, **options) = Frugal::Budget.new(limits).check(recording(EVENTS, **options))

  def refused(&block) = assert_raises(Frugal::UsageError, &block).message
end

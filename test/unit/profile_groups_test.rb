# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/recordings"
require "frugal/profile/finding"
require "frugal/profile/groups"
require "frugal/cli/profile"

# The counts of `frugal profile --by`.
class ProfileGroupsTest < Frugal::TestCase
  include Recordings

  EVENTS = [*[[:stat, "/app/a.rb", 3, "GET /a"]] * 2, [:open, "/app/a.rb", 4, "GET /b"], [:raise, "/app/b.rb", 1, "GET /b"],
            *[[:mkdir, "/app/b.rb", 2, "GET /b"]] * 2, [:write, nil, nil, nil]].freeze

  def test_by_file
    assert_equal [["/app/a.rb", { calls: 3, stats: 2, opens: 1, reads: 0, writes: 0, exceptions: 0 }],
                  ["/app/b.rb", { calls: 2, stats: 0, opens: 0, reads: 0, writes: 2, exceptions: 1 }],
                  [nil, { calls: 1, stats: 0, opens: 0, reads: 0, writes: 1, exceptions: 0 }]], groups(:file)
  end

  # The route with most calls and exceptions for each request is the first, what is in no request the last.
  def test_by_route
    assert_equal [["GET /b", 3, 1], ["GET /a", 2, 0], [nil, 1, 0]], sums(:route, "GET /a" => 1, "GET /b" => 1)
    groups = PROFILE::Groups.of(recording(EVENTS, runs: { "GET /a" => 1, "GET /b" => 4, "GET /c" => 2 }), :route)
    assert_equal [["GET /a", 1, 2.0, 0.0], ["GET /b", 4, 0.75, 0.25], ["GET /c", 2, 0.0, 0.0], [nil, nil, nil, nil]],
                 groups.map { |group| [group.name, group.runs, group.each(:calls), group.each(:exceptions)] }
  end

  # The file with most calls and exceptions in all is the first.
  def test_by_example
    assert_equal [["GET /b", 3, 1], ["GET /a", 2, 0], [nil, 1, 0]], sums(:example, "GET /a" => 1, "GET /b" => 9)
  end

  def test_by_process
    assert_equal [["7 ruby a.rb", 6, 1]], sums(:process)
  end

  # What a process executes takes the place of what it was.
  def test_a_process_is_named_by_the_last_program
    first, second = [["sh", 10], ["ruby b.rb", 20]].map do |argv, started|
      PROFILE::ProcessRecord.new(7, 1, argv.split, nil, started, 0, { stat: 1 })
    end
    calls = [first, second].map { |one| PROFILE::Call.new(one, 1, 0, 0, :stat, *[nil] * 7, PROFILE::Stack::EMPTY, nil) }
    both = PROFILE::Recording.new(command: %w[sh], processes: [second, first], calls: calls, raises: [])
    assert_equal ["7 ruby b.rb"], PROFILE::Groups.of(both, :process).map(&:name)
  end

  def test_the_table
    assert_equal <<~TEXT, table(recording(EVENTS, runs: { "GET /a" => 1, "GET /b" => 1_000 }), :route)
      requests   calls/request   exceptions/request   calls   stats   opens   reads   writes   exceptions   route
             1             2.0                  0.0       2       2       0       0        0            0   GET /a
         1,000             0.0                  0.0       3       0       1       0        2            1   GET /b
             -               -                    -       1       0       0       0        1            0   outside of requests
    TEXT
    assert_equal <<~TEXT, table(recording(EVENTS.last(1)), :example)
      examples   calls/example   exceptions/example   calls   stats   opens   reads   writes   exceptions   example
             -               -                    -       1       0       0       0        1            0   outside of examples
    TEXT
    assert_equal <<~TEXT, table(recording(EVENTS), :file).lines.first(2).join
      calls   stats   opens   reads   writes   exceptions   file
          3       2       1       0        0            0   /app/a.rb
    TEXT
    assert_equal "by file: nothing was recorded\n", table(recording([]), :file)
  end

  def test_findings_of_each_group
    findings = [[3, { "GET /a" => 2, nil => 1 }], [4, { "GET /a" => 4 }], [5, { "GET /a" => 1 }], [6, { "GET /a" => 1 }], [7, nil]].map do |line, groups|
      finding(line, groups)
    end
    hidden = finding(9, { "GET /a" => 9 }, kind: :freshness_check)
    text = table(recording(EVENTS, runs: { "GET /a" => 1, "GET /b" => 1 }), :route, [*findings, hidden])
    assert_equal <<~TEXT, text.partition("\n\n").last
      findings by route
      GET /a
        4 of 4   /app/a.rb:4: redundant call
        2 of 3   /app/a.rb:3: redundant call
        1 of 1   /app/a.rb:5: redundant call
        and 1 more
      outside of requests
        1 of 3   /app/a.rb:3: redundant call
    TEXT
    refute_includes table(recording(EVENTS, runs: { "GET /a" => 1 }), :file, findings), "findings"
  end

  def test_a_long_table_and_hostile_names
    many = recording((1..25).map { |number| [:stat, "/app/\e[2J\xFF#{format("%02d", number)}".b, 1] })
    lines = Frugal::CLI::Profile::Groups.of(many, :file).lines(chomp: true)
    assert_equal [22, "and 5 more"], [lines.size, lines.last]
    assert lines[1].end_with?("   /app/\\e[2J\uFFFD01"), lines[1]
  end

  private

  def groups(kind, **runs) = PROFILE::Groups.of(recording(EVENTS, runs: runs.transform_keys(&:to_s)), kind).map { |group| group.to_a.first(2) }

  def sums(kind, runs = {}) = groups(kind, **runs).map { |name, counts| [name, *counts.values_at(:calls, :exceptions)] }

  def table(...) = Frugal::CLI::Profile::Groups.of(...)

  def finding(line, groups, kind: :redundant_call)
    PROFILE::Finding.new(kind: kind, path: [PROFILE::Frame.new("/app/a.rb", line, "a")], callers: [], count: groups&.values&.sum || 1, saved_us: 1.0,
                         groups: groups)
  end
end

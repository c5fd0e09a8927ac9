# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/recordings"
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

  def test_by_route
    assert_equal [["GET /b", 3, 1], ["GET /a", 2, 0], [nil, 1, 0]], sums(:route)
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
    assert_equal <<~TEXT, Frugal::CLI::Profile::Groups.of(recording(EVENTS), :route)
      calls   stats   opens   reads   writes   exceptions   route
          3       0       1       0        2            1   GET /b
          2       2       0       0        0            0   GET /a
          1       0       0       0        1            0   outside of requests
    TEXT
    assert_equal "by file: nothing was recorded\n", Frugal::CLI::Profile::Groups.of(recording([]), :file)
  end

  def test_a_long_table_and_hostile_names
    many = recording((1..25).map { |number| [:stat, "/app/\e[2J\xFF#{format("%02d", number)}".b, 1] })
    lines = Frugal::CLI::Profile::Groups.of(many, :file).lines(chomp: true)
    assert_equal [22, "and 5 more"], [lines.size, lines.last]
    assert lines[1].end_with?("   /app/\\e[2J\uFFFD01"), lines[1]
  end

  private

  def groups(kind) = PROFILE::Groups.of(recording(EVENTS), kind).map(&:to_a)

  def sums(kind) = groups(kind).map { |name, counts| [name, *counts.values_at(:calls, :exceptions)] }
end

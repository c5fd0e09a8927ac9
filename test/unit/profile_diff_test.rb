# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/sample_recording"
require "frugal/profile/diff"
require "frugal/profile/report/difference_markdown"
require "frugal/profile/report/json"

# The difference of two JSON reports.
class ProfileDiffTest < Frugal::TestCase
  Profile = Frugal::Profile

  def test_what_is_gone_new_and_changed
    diff = diff([["/a.rb:1", 9], ["/a.rb:2", 1], ["/b.rb:1", 4], ["/b.rb:2", 3]], [["/a.rb:2", 11], ["/b.rb:1", 2], ["/c.rb:5", 1], ["/b.rb:2", 3]])
    assert_equal [["/a.rb", "method_2", 2, "stat", 1, 11], ["/a.rb", "method_1", 1, "stat", 9, 0], ["/b.rb", "method_1", 1, "stat", 4, 2],
                  ["/c.rb", "method_5", 5, "stat", 0, 1]], diff.calls.map(&:to_a)
    assert_equal %i[more gone fewer new], diff.calls.map(&:kind)
    assert_equal({ calls: [17, 17], stats: [17, 17], opens: [0, 0], reads: [0, 0], writes: [0, 0], exceptions: [0, 0] }, diff.counts)
  end

  def test_a_report_does_not_differ_from_itself
    diff = between(SampleRecording.rake, SampleRecording.rake, SampleRecording.findings, SampleRecording.findings)
    assert_empty diff.calls + diff.exceptions + diff.findings
  end

  # Lines were added above, and a block was put around the calls: the method is the same.
  def test_lines_that_only_moved_are_no_change
    before, after = [["run", 1, 2], ["block (2 levels) in run", 31, 32]].map do |label, first, second|
      recording = SampleRecording.build do |run|
        run.process(1)
        [[first, 5], [second, 7]].each { |line, times| run.call(:stat, "/x", at: [Profile::Frame.new("/a.rb", line, label)], times: times) }
        run.raise("KeyError", at: [Profile::Frame.new("/a.rb", first, label)], depth: 1)
      end
      finding = SampleRecording.finding(:tiny_reads, "/a.rb:#{first}", count: 4)
      finding.path = [Profile::Frame.new("/a.rb", first, label)]
      Profile::Report::JSON.of(recording, [finding])
    end
    diff = Profile::Diff.of(before, after)
    assert_empty diff.calls + diff.exceptions + diff.findings
    assert_equal 2, diff([["/a.rb:1", 5]], [["/b.rb:1", 5]]).calls.size, "another file"
  end

  # The line of a change is the one with the most calls, after the change.
  def test_the_lines_of_a_method
    calls = [[[1, 5], [2, 7]], [[4, 9], [3, 2]]].map do |lines|
      SampleRecording.build do |run|
        run.process(1)
        lines.each { |line, times| run.call(:stat, "/x", at: [Profile::Frame.new("/a.rb", line, "run")], times: times) }
      end
    end
    assert_equal [["/a.rb", "run", 4, "stat", 12, 11]], between(*calls).calls.map(&:to_a)
    nothing = SampleRecording.build { |run| run.process(1) }
    assert_equal [["/a.rb", "run", 2, "stat", 12, 0]], between(calls.first, nothing).calls.map(&:to_a)
  end

  def test_processes_and_paths_are_added_up_and_errors_are_separate
    before = SampleRecording.build do |run|
      2.times do |pid|
        run.process(pid)
        run.call(:stat, "/x#{pid}", at: "/a.rb:1", times: 2)
        run.call(:stat, "/y", at: "/a.rb:1", error: "ENOENT")
        run.call(:read, "/y")
      end
    end
    nothing = SampleRecording.build { |run| run.process(1) }
    assert_equal [["/a.rb", "method_1", 1, "stat", 4, 0], ["/a.rb", "method_1", 1, "stat (ENOENT)", 2, 0],
                  [nil, nil, nil, "read", 2, 0]], between(before, nothing).calls.map(&:to_a)
  end

  def test_exceptions_and_findings
    nothing = SampleRecording.build { |run| run.process(1) }
    diff = between(SampleRecording.rake, nothing, SampleRecording.findings, SampleRecording.findings.first(1))
    assert_equal [["/app/lib/tasks.rb", "method_23", 23, "Errno::ENOENT", 4, 0]], diff.exceptions.map(&:to_a)
    # The fourth finding is a freshness check.
    assert_equal [["/app/lib/tasks.rb", "method_22", 22, :redundant_call, 20, 0], ["/app/lib/tasks.rb", "method_23", 23, :rescued_error, 4, 0]],
                 diff.findings.map(&:to_a)
  end

  def test_names_of_any_bytes
    nothing = SampleRecording.build { |run| run.process(1) }
    diff = between(nothing, SampleRecording.hostile)
    assert_includes diff.calls.map(&:file), SampleRecording::BINARY
    text = text(diff)
    assert_empty text.scan(/[[:cntrl:]\u202E]/).uniq - ["\n"]
    assert_includes text, "\n       +1  caf\\xE9:1 (method_1): rename, 0 → 1\n"
  end

  def test_the_report
    nothing = SampleRecording.build(command: %w[rake -s]) { |run| run.process(1) }
    assert_equal <<~TEXT, text(between(SampleRecording.rake, nothing, SampleRecording.findings), limit: 2)
      *46 file calls fewer (46 → 0) and 4 exceptions fewer (4 → 0); findings: 3 gone*

       calls    stats   opens   reads   writes   exceptions
      46 → 0   35 → 0   1 → 0   6 → 0    4 → 0        4 → 0

      file calls:
            -30  lib/tasks.rb:22 (method_22): stat, 30 → 0
             -6  outside of Ruby: read, 6 → 0
            -10  in 4 other methods

      exceptions:
             -4  lib/tasks.rb:23 (method_23): Errno::ENOENT, 4 → 0

      findings:
            -20  lib/tasks.rb:22 (method_22): redundant call, 20 → 0
             -6  tz 1.0: tz.rb:9 (method_9): tiny reads, 6 → 0
             -4  in 1 other method

      next: frugal budget --max-calls 0 -- rake -s
    TEXT
  end

  def test_the_verdict_and_the_next_step
    assert_verdict "as many file calls (5) and exceptions (0) as before", [["/a.rb:1", 5]], [["/b.rb:1", 5]], "frugal budget --max-calls 5"
    assert_verdict "1 file call more (5 → 6)", [["/a.rb:1", 5]], [["/a.rb:1", 6]], "frugal profile --html profile.html"
    report = text(between(SampleRecording.rake, SampleRecording.rake, [], SampleRecording.findings.first(2)))
    assert report.start_with?("*as many file calls (46) and exceptions (4) as before; findings: 2 new*\n"), report
  end

  def test_markdown
    before = SampleRecording.build { |run| run.process(1) && 3.times { run.call(:stat, "/x", at: "/app/a|`b.rb:1") } }
    after = SampleRecording.build { |run| run.process(1) && 5.times { run.call(:stat, "/x", at: "/app/c.rb:2") } }
    report = markdown(between(before, after, [], SampleRecording.findings.values_at(1)), limit: 1)
    assert_equal <<~TEXT, report
      ### frugal profile: 2 file calls more (3 → 5); findings: 1 new

      | | before | after | |
      |---|--:|--:|--:|
      | calls | 3 | 5 | +2 |
      | stats | 3 | 5 | +2 |

      **Findings**

      - new: `lib/tasks.rb:22` (`method_22`): redundant call, 0 → 20

      <details><summary>File calls by method</summary>

      | | | before | after | |
      |---|---|--:|--:|--:|
      | `c.rb:2` (`method_2`) | `stat` | 0 | 5 | +5 |

      1 other method, -3

      </details>
    TEXT
    assert_includes markdown(between(before, after)), "\n| ``a\\|`b.rb:1`` (`method_1`) | `stat` | 3 | 0 | -3 |\n"
    assert_equal "### frugal profile: as many file calls (3) and exceptions (0) as before\n", markdown(between(before, before))
  end

  def test_no_line_is_wider_than_the_terminal
    diff = between(SampleRecording.rake, SampleRecording.hostile, SampleRecording.findings, SampleRecording.hostile_findings)
    [20, 40, 80].each do |width|
      assert_empty text(diff, width: width).delete("*").lines(chomp: true).select { |line| Profile::Report::Layout.columns(line) > width }
    end
  end

  def test_files_that_are_no_reports
    report = Profile::Report::JSON.of(SampleRecording.rake, [])
    { "{" => "the first file: is not JSON", "[1]" => "the first file: is not a report of `frugal profile --json`",
      '{"schema":1}' => "the first file: is not a report of `frugal profile --json`",
      '{"version":1,"findings":[]}' => "the first file: has version 1 of the format, and this frugal reads version 2" }.each do |text, message|
      assert_equal message, assert_raises(Frugal::UsageError) { Profile::Diff.of(text, report) }.message
    end
    assert_equal "the second file: is not JSON", assert_raises(Frugal::UsageError) { Profile::Diff.of(report, "\xFF") }.message
  end

  private

  def assert_verdict(verdict, before, after, next_step)
    report = text(diff(before, after))
    assert report.start_with?("*#{verdict}*\n"), report
    assert report.end_with?("\n\nnext: #{next_step} -- ruby\n"), report
  end

  def markdown(diff, **options) = Profile::Report::DifferenceMarkdown.of(diff, origins: Frugal::Profile::Origins.new("/app"), **options)

  def text(diff, **options) = Profile::Report::Difference.of(diff, origins: Frugal::Profile::Origins.new("/app"), **options) { |verdict| "*#{verdict}*" }

  def diff(before, after) = between(*[before, after].map { |places| stats(places) })

  def stats(places)
    SampleRecording.build do |run|
      run.process(1)
      places.each { |place, times| run.call(:stat, "/x", at: place, times: times) }
    end
  end

  def between(before, after, findings_before = [], findings_after = [])
    Profile::Diff.of(Profile::Report::JSON.of(before, findings_before), Profile::Report::JSON.of(after, findings_after))
  end
end

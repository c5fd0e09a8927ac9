# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/sample_recording"
require "frugal/profile/report/terminal"

# The report on the terminal, made from given events and findings.
class ProfileReportTerminalTest < Frugal::TestCase
  Report = Frugal::Profile::Report

  def test_verdict_counts_findings_next_step
    expected = <<~TEXT
      *26 of 46 file calls (57 %) and 4 of 4 exceptions (100 %) were superfluous: about 126 ms of 1.24 s of wall time*

      calls   stats   opens   reads   writes   exceptions   processes
         46      35       1       6        4            4           2

         80 ms  lib/tasks.rb:22: redundant call
                20 of 35 calls repeat one whose answer was known
                fix: Do it once.
                drop-in rake: frugal run -- rake -s

         30 ms  lib/tasks.rb:23: rescued error
                4 of 4 exceptions are rescued at once
                fix: Do it once.

      what your gems ask, and no line of the program; --all shows each:
         16 ms  tz 1.0: 1 finding, 6 superfluous; most: tz.rb:9, tiny reads

      not waste: 9 freshness checks at 1 line; lib/x.rb:1: 9 checks (stat) found nothing changed

      next: frugal run -- rake -s
    TEXT
    assert_equal expected, text(SampleRecording.rake, SampleRecording.findings)
  end

  def test_the_limit
    report = text(SampleRecording.rake, SampleRecording.findings, limit: 1)
    assert_includes report, "lib/tasks.rb:22"
    refute_includes report, "lib/tasks.rb:23"
    assert_includes report, "\n1 more finding in the program, 30 ms; --all shows each\n"
    report = text(SampleRecording.rake, SampleRecording.findings, limit: 2)
    refute_includes report, "more finding"
  end

  # Nothing is hidden: each finding of the program, then each of the gems, also what is not worth a change.
  def test_all
    small = SampleRecording.finding(:redundant_call, "/app/small.rb:1", saved_us: 1.0)
    gems = Array.new(7) { |n| SampleRecording.finding(:tiny_reads, "/gems/g#{n}-1.0/lib/g.rb:1", saved_us: 2.0) }
    findings = [*SampleRecording.findings, small, *gems]
    report = text(SampleRecording.rake, findings)
    assert_includes report, "\n    6 µs  3 others: 3 findings, 3 superfluous\n"
    report = text(SampleRecording.rake, findings, all: true)
    assert_equal findings.count(&:waste?), report.scan(/^ +fix: /).size
    assert_equal 7, report.scan(/^ +2 µs  g\d 1\.0: 1 finding, 1 superfluous; most: g\.rb:1, tiny reads$/).size
    refute_match(/--all| others?:/, report)
  end

  # A library makes the calls, and the program's line is the one that can act.
  def test_the_path_from_the_line_that_can_act
    places = ["/app/models/post.rb:12", "/gems/act-7.2/lib/act/cache.rb:3", "/usr/lib/ruby/3.1.0/find.rb:58"]
    finding = SampleRecording.finding(:serial_walk, places, saved_us: 90_000.0)
    assert_includes text(SampleRecording.rake, [finding]), "models/post.rb:12 → Ruby's find.rb:58: serial walk\n"
    finding.known_from = SampleRecording.frame("/app/known.rb:1")
    finding.callers = %w[/app/a.rb:1 /app/b.rb:2].map { |place| SampleRecording.frame(place) }
    assert_match(/serial walk\n +proof\n +known from known\.rb:1\n +called from a\.rb:1\n +fix:/, text(SampleRecording.rake, [finding]))
    finding.lines = 518
    assert_includes text(SampleRecording.rake, [finding]), "require, at 518 lines: serial walk\n"
  end

  def test_no_findings
    report = text(SampleRecording.rake, [])
    assert report.start_with?("*no waste found in 46 file calls (1.24 s)*\n"), report
    assert report.end_with?("\n\nnext: frugal budget --max-calls 46 -- rake -s\n"), report
  end

  def test_findings_that_are_not_worth_it
    finding = SampleRecording.finding(:tiny_reads, "/gem/tz.rb:9", count: 1, saved_us: 400.0, drop_in: :rake)
    report = text(SampleRecording.rake, [finding])
    assert report.start_with?("*1 of 46 file calls (2 %) was superfluous: about 400 µs of 1.24 s of wall time, not worth a change*\n"), report
    assert_includes report, "/gem/tz.rb:9: tiny reads; not worth it: 400 µs of 1.10 s of CPU time\n"
    refute_includes report, "drop-in rake"
    assert report.end_with?("\nnext: frugal profile --html profile.html -- rake -s\n"), report
  end

  def test_findings_that_count_no_calls
    report = text(SampleRecording.rake, [SampleRecording.finding(:needless_digest, "/a.rb:1", count: 9, saved_us: 90_000.0)])
    assert report.start_with?("*1 finding in other than file calls: about 90 ms of 1.24 s of wall time*\n"), report
    report = text(SampleRecording.rake, [SampleRecording.finding(:rescued_error, "/a.rb:1", count: 2, saved_us: 90_000.0)])
    assert report.start_with?("*2 of 4 exceptions (50 %) were superfluous: about 90 ms of 1.24 s of wall time*\n"), report
  end

  def test_processes_at_the_same_time_waste_more_than_the_wall_time
    finding = SampleRecording.finding(:redundant_call, "/a.rb:1", count: 100, saved_us: 2_000_000.0)
    report = text(SampleRecording.rake(wall_us: 1_000_000, cpu_us: 3_000_000), [finding])
    assert report.start_with?("*46 of 46 file calls (100 %) were superfluous: about 2.00 s of 3.00 s of CPU time*\n"), report
  end

  def test_dropped_events_and_notes
    recording = SampleRecording.build(notes: ["a child was not Ruby"]) do |run|
      run.process(1, dropped: 1200, counts: { stat: 1200 })
      run.call(:stat, "/a")
    end
    assert_equal 1201, recording.counts[:calls]
    assert_includes text(recording, []), "\n\nnote: there was no room for 1,200 events: the counts above include them, the " \
                                         "findings do not\nnote: a child was not Ruby\n\nnext: "
  end

  # What has no details may be superfluous, too.
  def test_dropped_events_make_the_verdict_a_lower_bound
    recording = SampleRecording.build { |run| run.process(1, dropped: 1200, counts: { stat: 1200 }) && run.call(:stat, "/a") }
    findings = [SampleRecording.finding(:redundant_call, "/a.rb:1", saved_us: 1.0)]
    assert_match(/\A\*at least 1 of 1,201 file calls \(under 0\.1 %\) was superfluous/, text(recording, findings))
  end

  def test_no_line_is_wider_than_the_terminal
    reports = [[SampleRecording.rake(notes: ["word " * 50]), SampleRecording.findings],
               [SampleRecording.hostile, SampleRecording.hostile_findings],
               [SampleRecording.build(command: ["日本語" * 40]) { |run| run.process(1) }, []]]
    [20, 33, 60, 80, 200].each do |width|
      reports.each do |recording, findings|
        lines = text(recording, findings, width: width).delete("*").lines(chomp: true)
        assert_empty lines.select { |line| Report::Layout.columns(line) > width }, "width #{width}"
      end
    end
  end

  def test_a_wide_script_takes_two_columns
    assert_equal [6, 3], [Report::Layout.columns("日本語"), Report::Layout.columns("abé")]
  end

  def test_nothing_that_a_terminal_interprets
    report = text(SampleRecording.hostile, SampleRecording.hostile_findings)
    assert_predicate report, :valid_encoding?
    assert_empty report.scan(/[[:cntrl:]\u202E]/).uniq - ["\n"]
    assert_includes report, "\\e[2Jbell\\a:1: redundant call"
    assert_includes report, "a\\u202Eb:1"
    assert_includes report, "caf\\xE9:1"
    assert_includes report, "line\\nbreak:1"
  end

  def test_times_and_shares
    times = [0, 40, 999.6, 9_600, 96_400, 999_600, 1_240_000].map { |time| Report::Words.time(time) }
    assert_equal ["0 µs", "40 µs", "1.0 ms", "9.6 ms", "96 ms", "1.00 s", "1.24 s"], times
    shares = [[0, 9], [1, 3000], [1, 300], [1, 9], [9, 9]].map { |part, all| Report::Words.share(part, all) }
    assert_equal ["0 %", "under 0.1 %", "0.3 %", "11 %", "100 %"], shares
  end

  def test_every_kind_has_words
    assert_equal Frugal::Profile::Finding::KINDS.sort, Report::Words::KINDS.keys.sort
  end

  private

  def text(recording, findings, **options)
    Report::Terminal.of(recording, findings, origins: Frugal::Profile::Origins.new("/app"), **options) { |verdict| "*#{verdict}*" }
  end
end

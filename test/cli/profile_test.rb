# frozen_string_literal: true

require "json"
require "pty"
require_relative "../test_helper"

# `frugal profile` as a user runs it. What the reports contain is tested where they are.
class ProfileCommandTest < Frugal::TestCase
  EXE = File.join(ROOT, "exe/frugal")
  FRUGAL = [RUBY, "-w", "-I", LIB, EXE, "profile"].freeze
  RUBY_COMMAND = [RUBY, "--disable-gems"].freeze
  FORMATS = %w[json html speedscope firefox sarif].freeze
  # Ends with the status 7 when it gets the signal; counts how often.
  SERVER = <<~'RUBY'
    got = 0
    trap(ARGV[0]) { got += 1 }
    File.write("ready", "")
    sleep 0.01 until got > 0
    sleep 0.3
    File.write("got", got)
    exit 7
  RUBY

  def setup
    skip "the recorder is not compiled" unless File.exist?("#{LIB}/frugal/native/#{Frugal::Platform::ABI}/recorder.so")
  end

  def test_the_report_is_on_stderr_and_the_output_is_the_programs
    result = profile("--", *RUBY_COMMAND, "-e", "print $stdin.read; warn 'no'; exit 3", stdin: "in")
    assert_equal [3, "in"], [result.exitstatus, result.out], result
    assert result.err.start_with?("no\n\n"), result.err
    assert_operator result.err.lines.size, :>=, 3
  end

  def test_every_format_at_once_and_quietly
    options = FORMATS.flat_map { |name| ["--#{name}", "report.#{name}"] }
    result = profile("--quiet", *options, "--", *RUBY_COMMAND, "-e", "puts 1; exit 3")
    assert_equal [3, "1\n", ""], [result.exitstatus, result.out, result.err]
    assert_equal FORMATS.sort, Dir.children(tree).map { |name| name.delete_prefix("report.") }.sort
    FORMATS.each { |name| refute_empty File.read(path("report.#{name}")) }
    assert_equal 2, JSON.parse(File.read(path("report.json")))["version"]
  end

  def test_a_program_that_a_signal_kills
    %w[TERM SEGV].each do |name|
      result = profile("--json", "r.json", "--", "/bin/sh", "-c", "kill -#{name} $$")
      assert_equal Signal.list[name], result.status.termsig, result
      refute_includes result.err, "[BUG]"
      refute_empty File.read(path("r.json"))
    end
  end

  def test_commands_that_cannot_be_started
    write("not_executable", "#!/bin/sh\n")
    { 127 => "no-such-command", 126 => "./not_executable" }.each do |status, command|
      result = profile("--html", "r.html", "--", command)
      assert_equal [status, ""], [result.exitstatus, result.out], result
      assert_equal 1, result.err.lines.size, result
      assert_includes result.err, command
    end
    refute_path_exists path("r.html")
  end

  def test_usage
    write("a.json", JSON.generate({ version: 2, findings: [] }))
    { [] => "no command to profile", %w[--top -1 -- ran] => "-1: at least 0", %w[--depth 0 -- ran] => "0: at least 1",
      %w[--depth 65 -- ran] => "depth: must be 1 to 64", %w[--limit 0 -- ran] => "0: at least 1",
      %w[--frog -- ran] => "invalid option: --frog", %w[--by frog -- ran] => "--by: must be route, example, file or process (got frog)",
      %w[--quiet --verify -- ran] => "--quiet and --verify cannot be combined",
      %w[--quiet --top 3 -- ran] => "--quiet and --top cannot be combined",
      %w[--quiet --by file -- ran] => "--quiet and --by cannot be combined",
      %w[--only rake -- ran] => "--only belongs to --verify", %w[--except rake -- ran] => "--except belongs to --verify",
      %w[--verify --only ake -- ran] => "unknown drop-in: ake (available: rake",
      %w[--json none/r -- ran] => "--json: none/r: No such file or directory",
      %w[--sarif . -- ran] => "--sarif: .: Is a directory",
      %w[--html - -- ran] => "--html: standard output is the command's: name a file (got -)",
      %w[--json r --html ./r -- ran] => "--json and --html name the same file: ./r",
      %w[--fail-over -1 -- ran] => "-1: at least 0", %w[--markdown -- ran] => "--markdown belongs to --diff",
      %w[--diff a.json] => "--diff takes two JSON reports (got 1 names)",
      %w[--diff --html r a.json a.json] => "--diff compares two reports, so it cannot be combined with --html" }
      .each { |arguments, message| assert_refused(message, *arguments) }
    assert_equal %w[a.json], Dir.children(tree)
  end

  # A file that is tried and not needed does not stay.
  def test_files_are_tried_before_the_program_runs
    write("kept", "before")
    command = [*RUBY_COMMAND, "-e", "File.write('ran', '')"]
    assert_refused("--html: none/r: No such file", "--json", "new", "--sarif", "kept", "--html", "none/r", "--", *command)
    assert_equal [%w[kept], "before"], [Dir.children(tree), File.read(path("kept"))]
  end

  def test_a_report_on_a_full_disk
    skip "this system has no /dev/full" unless File.exist?("/dev/full")

    { "exit 0" => 1, "exit 3" => 3 }.each do |code, status|
      result = profile("--html", "/dev/full", "--json", "r.json", "--", *RUBY_COMMAND, "-e", code)
      assert_equal status, result.exitstatus, result
      assert_includes result.err, "frugal: --html: /dev/full: No space left on device\n"
      refute_empty File.read(path("r.json"))
    end
  end

  # What is written beside the report is not lost, and the report names the places as the shell does.
  def test_a_program_that_removes_the_current_folder
    mkdir("gone")
    script = "2.times { File.exist?('x') }; Dir.rmdir(Dir.pwd)"
    options = ["--by", "process", "--json", path("report.json"), "--html", path("report.html"), "--sarif", path("report.sarif")]
    result = run_command(*FRUGAL, *options, "--", *RUBY_COMMAND, "-e", script, chdir: path("gone"))
    assert_equal [0, ""], [result.exitstatus, result.out], result
    assert_includes result.err, "-e:1: redundant call"
    %w[json html sarif].each { |name| refute_empty File.read(path("report.#{name}")) }
  end

  def test_diff
    %w[a b].each_with_index do |name, number|
      profile("--quiet", "--json", "#{name}.json", "--", *RUBY_COMMAND, "-e", "#{number * 2}.times { raise 'x' rescue 0 }")
    end
    result = profile("--diff", "a.json", "b.json")
    assert_equal [0, ""], [result.exitstatus, result.err], result
    refute_empty result.out
  end

  def test_files_that_cannot_be_compared
    counts = %w[calls stats opens reads writes exceptions].to_h { |name| [name, 0] }
    nothing = { version: 2, command: ["x"], counts: counts, calls: [], exceptions: [], findings: [] }
    write("a.json", JSON.generate(nothing))
    write("damaged", JSON.generate(nothing.merge(findings: nil)))
    write("old", JSON.generate({ version: 1, findings: [] }))
    write("other", "{}")
    write("text", "\xFF".b)
    { "missing" => "missing: No such file or directory", "." => ".: Is a directory", "text" => "text: is not JSON",
      "damaged" => "damaged: is a damaged report", "other" => "other: is not a report of `frugal profile --json`",
      "old" => "old: has version 1 of the format, and this frugal reads version 2" }.each do |file, message|
      [["a.json", file], [file, "a.json"]].each { |files| assert_refused(message, "--diff", *files) }
    end
  end

  def test_by_file_and_process
    write("waste.rb", "9.times { File.exist?('x') }\n")
    result = profile("--by", "file", "--", *RUBY_COMMAND, "waste.rb")
    assert_match(/^ *calls +stats +opens +reads +writes +exceptions +file\n/, result.err)
    assert_match(/^ +9 +9 +0 +0 +0 +0 +waste\.rb\n/, result.err)
    result = profile("--by", "process", "--", *RUBY_COMMAND, "waste.rb")
    assert_match(/ \d+ #{RUBY} --disable-gems waste\.rb\n/, result.err)
  end

  def test_a_limit_and_what_is_ignored
    write("waste.rb", "9.times { File.exist?('x') }\n7.times { File.exist?('y') } # frugal: ignore\n")
    command = ["--", *RUBY_COMMAND, "waste.rb"]
    result = profile("-q", "--fail-over", "7", *command)
    assert_equal [1, "\nfrugal: 8 superfluous at lines of the program, more than 7: waste.rb:1 (8)\n"], [result.exitstatus, result.err]
    assert_equal [0, ""], profile("-q", "--fail-over", "8", *command).then { |one| [one.exitstatus, one.err] }
    result = profile("-q", "--fail-over", "0", "--ignore", "waste.rb:1", "--ignore", "old.rb", *command)
    assert_equal [0, "\nnote: --ignore old.rb: there is no finding\n"], [result.exitstatus, result.err]
    assert_equal 3, profile("-q", "--fail-over", "0", "--", *RUBY_COMMAND, "-e", "9.times { File.exist?('x') }; exit 3").exitstatus
  end

  def test_markdown
    write("waste.rb", "9.times { File.exist?('x') }\n")
    assert profile("-q", "--json", "a.json", "--", *RUBY_COMMAND, "-e", "1").success?
    assert profile("-q", "--json", "b.json", "--", *RUBY_COMMAND, "waste.rb").success?
    result = profile("--diff", "--markdown", "a.json", "b.json")
    assert_equal [0, ""], [result.exitstatus, result.err]
    assert_includes result.out, "\n- new: `waste.rb:1` (`<main>`): redundant call, 0 → 8\n"
  end

  def test_verify
    result = profile("--verify", "--", *RUBY_COMMAND, "-e", "20.times { File.exist?('x') }")
    assert_equal 0, result.exitstatus, result
    assert_match(/^verifying: the command runs again, many times \(Ctrl-C ends it\)$/, result.err)
    assert_match(/^19 superfluous questions were not asked again: (predicted .*; the calls took .*|.* of processor time saved, predicted .*)$/, result.err)
    assert_match(/^  -e:1: predicted .*, the calls took .* \(.* to .*\), [+-]\d+ %$/, result.err)
  end

  def test_nothing_to_verify
    result = profile("--verify", "--", *RUBY_COMMAND, "-e", "1")
    assert_equal [0, "no superfluous question has an earlier answer\n"], [result.exitstatus, result.err.lines.last]
    result = profile("--verify", "--", *RUBY_COMMAND, "-e", "20.times { File.exist?('x') }; exit 1 if File.exist?('y'); File.write('y', '')")
    assert_equal [0, "not verified: the command failed when it ran again: exit status 1\n"], [result.exitstatus, result.err.lines.last]
    result = profile("--verify", "--", *RUBY_COMMAND, "-e", "exit 3")
    assert_equal [3, "not verified: the command failed\n"], [result.exitstatus, result.err.lines.last]
  end

  def test_signals_reach_the_program_once_and_the_report_is_made
    write("server.rb", SERVER)
    hangup = trap(:HUP, "DEFAULT") # ignored under nohup, and so by what is started from here
    %w[INT TERM HUP USR1].each do |name|
      pid = Process.spawn(*FRUGAL, "--json", "r.json", "--", *RUBY_COMMAND, "server.rb", name, chdir: tree, pgroup: true, err: path("err"))
      assert eventually { File.exist?(path("ready")) }, "not started: #{File.read(path("err"))}"
      Process.kill(name, pid)
      status = Process.wait2(pid).last
      assert_equal [7, "1"], [status.exitstatus, File.read(path("got"))], File.read(path("err"))
      refute_empty File.read(path("r.json"))
      %w[ready got r.json].each { |file| File.unlink(path(file)) }
    end
  ensure
    trap(:HUP, hangup)
  end

  # The terminal sends the signal to frugal and to the program. Two signals that come at the same moment can be one, so
  # it is tried several times.
  def test_ctrl_c_in_a_terminal
    write("counter.rb", <<~'RUBY')
      got = 0
      trap("INT") { got += 1 }
      $stdout.sync = true
      8.times { |number| puts "waiting"; sleep 0.01 until got > number; sleep 0.1 }
      File.write("got", got)
      exit 7
    RUBY
    PTY.spawn(*FRUGAL, "--json", "r.json", "--", *RUBY_COMMAND, "counter.rb", chdir: tree) do |output, input, pid|
      8.times { output.each_line.find { |line| line.include?("waiting") } && input.write("\x03") }
      text = read_all(output)
      assert_equal [7, "8"], [Process.wait2(pid).last.exitstatus, File.read(path("got"))], text
    end
    refute_empty File.read(path("r.json"))
  end

  # As under nohup, or in the background of a script.
  def test_an_ignored_signal_stays_ignored
    code = "p trap('HUP', 'DEFAULT')"
    plain, profiled = [[], [*FRUGAL, "--quiet", "--"]].map do |before|
      run_command("/bin/sh", "-c", 'trap "" HUP; exec "$@"', "sh", *before, *RUBY_COMMAND, "-e", code, chdir: tree)
    end
    assert_equal [%("IGNORE"\n), plain.out], [plain.out, profiled.out], profiled
  end

  private

  def profile(*arguments, **options) = run_command(*FRUGAL, *arguments, chdir: tree, **options)

  def assert_refused(message, *arguments)
    result = profile(*arguments)
    assert_equal [2, ""], [result.exitstatus, result.out], result
    assert_includes result.err.b, message.b
    assert result.err.end_with?("frugal: next: frugal profile --help\n"), result
  end

  def read_all(io)
    text = +""
    loop { text << io.readpartial(4096) }
  rescue Errno::EIO, EOFError # the terminal's other end is closed
    text
  end
end

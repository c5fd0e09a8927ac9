# frozen_string_literal: true

require "json"
require_relative "../test_helper"

# `frugal budget` as a user runs it: real programs, counted by the recorder.
class BudgetCommandTest < Frugal::TestCase
  EXE = File.join(ROOT, "exe/frugal")
  RUBY_COMMAND = [RUBY, "--disable-gems"].freeze
  WASTE = "40.times { File.exist?('x') }\nbegin; File.stat('missing'); rescue SystemCallError; end\nputs :done\n"

  def setup
    skip "the recorder is not compiled" unless File.exist?("#{LIB}/frugal/native/#{Frugal::Platform::ABI}/recorder.so")

    write("waste.rb", WASTE)
    write("nothing.rb", "puts :done\n")
  end

  def test_counts_are_exact
    nothing, waste = %w[nothing waste].map { |name| counts(*RUBY_COMMAND, "#{name}.rb") }
    assert_equal({ "calls" => 41, "stats" => 41, "opens" => 0, "reads" => 0, "writes" => 0, "exceptions" => 1 },
                 waste.merge(nothing) { |_, more, less| more - less })
    assert_equal waste, counts(*RUBY_COMMAND, "waste.rb")
  end

  # They are files in one run, and a terminal or pipes in another.
  def test_what_the_standard_streams_are_does_not_matter
    script = %("$1" -W0 "$2" budget --max-writes 99 --json "$3.json" -- "$1" -e 'puts $stdin.read.to_s; warn 1; File.write("f", "x")')
    ["<in >out 2>err", "<in >out 2>&1", "2>err | cat", "<&- >/dev/null 2>>err"].each_with_index do |streams, number|
      write("in", "text")
      result = run_command("/bin/sh", "-c", "#{script} #{streams}", "sh", RUBY, EXE, number.to_s, chdir: tree)
      assert result.success?, result
    end
    counts = Array.new(4) { |number| JSON.parse(File.read(path("#{number}.json")))["counts"] }
    assert_equal 1, counts.first(3).uniq.size, counts
    assert_equal [1], counts.map { |count| count["writes"] }.uniq, counts
  end

  # A stream that the program opens itself counts.
  def test_a_stream_of_the_program
    before, after = ["echo 1", "exec >f; echo 1"].map { |code| counts("/bin/sh", "-c", code) }
    assert_equal [0, 1], [before, after].map { |count| count["writes"] }
  end

  def test_within_at_the_limit_and_over_above_it
    exact = counts(*RUBY_COMMAND, "waste.rb").flat_map { |name, count| ["--max-#{name}", count.to_s] }
    within = budget(*exact, "--", *RUBY_COMMAND, "waste.rb")
    assert_equal [0, "done\n"], [within.exitstatus, within.out], within
    assert within.err.start_with?("frugal: within the budget\n\n"), within.err
    assert_match(/^exceptions +1 +1$/, within.err)

    over = budget(*exact, "--max-exceptions=0", "--max-stats=3", "--", *RUBY_COMMAND, "waste.rb")
    stats = counts(*RUBY_COMMAND, "waste.rb")["stats"]
    assert_equal [1, "done\n"], [over.exitstatus, over.out], over
    assert_equal "frugal: over the budget by #{stats - 3} stats, 1 exception\n", over.err.lines.first
    assert_match(/^stats +3 +#{stats} +#{stats - 3}$/, over.err)
    assert_match(/^stats, by line:\n +40 +\d\d\.\d %   waste\.rb:1$/, over.err)
    assert_match(/^exceptions, by line:\n +1   100\.0 %   waste\.rb:2$/, over.err)
    assert_equal "next: frugal profile -- #{RUBY} --disable-gems waste.rb\n", over.err.lines.last
  end

  def test_the_failure_of_the_program_comes_first
    result = budget("--max-stats", "0", "--json", "b.json", "--", *RUBY_COMMAND, "-e", "warn 'no'; puts 1; exit 3")
    assert_equal [3, "1\n"], [result.exitstatus, result.out], result
    assert result.err.start_with?("no\nfrugal: the command failed (exit status 3), so nothing was checked\n\n"), result
    assert_match(/^stats +0 +\d+$/, result.err)
    assert_equal({ "exit" => 3, "signal" => nil }, JSON.parse(File.read(path("b.json")))["status"])
  end

  # Ruby handles SIGSEGV itself, so this is not a matter of course.
  def test_a_program_that_a_signal_kills
    %w[TERM KILL SEGV INT].each do |name|
      result = budget("--max-stats", "0", "--", "/bin/sh", "-c", "kill -#{name} $$")
      assert_equal Signal.list[name], result.status.termsig, result
      assert_includes result.err, "frugal: the command failed (killed by SIG#{name}), so nothing was checked\n"
      refute_includes result.err, "[BUG]"
    end
  end

  def test_commands_that_cannot_be_started
    write("not_executable", "#!/bin/sh\n")
    mkdir("folder")
    { 127 => %w[no-such-command ./missing], 126 => %w[./not_executable ./folder] }.each do |status, commands|
      commands.each do |command|
        result = budget("--max-stats", "0", "--json", "b.json", "--", command)
        assert_equal [status, ""], [result.exitstatus, result.out], result
        assert_includes result.err, command
      end
    end
    refute_path_exists path("b.json")
  end

  def test_usage
    write("bad.yml", "# fine\nstats: 1\nstat: 2\n")
    write("empty.yml", "# nothing\n")
    { ["--", "true"] => "no limit: name one, such as --max-stats N, or a --file",
      ["--max-stats", "1"] => "no command to check", ["--max-stats", "-1", "--", "true"] => "-1: at least 0",
      ["--max-stats", "x", "--", "true"] => "invalid argument: --max-stats x",
      ["--max-frogs", "1", "--", "true"] => "invalid option: --max-frogs",
      ["--update", "--", "true"] => "--update needs the --file that it writes",
      ["--update", "--max-stats", "1", "--", "true"] => "--update needs the --file that it writes",
      ["--file", "b.yml", "--update", "--max-stats", "1", "--", "true"] => "--update and --max-stats cannot be combined",
      ["--file", "b.yml", "--", "true"] => "--file: b.yml: no such file; --update creates it with the counts of a run",
      ["--file", "bad.yml", "--", "true"] => "bad.yml:3: unknown limit: stat (available: calls, ",
      ["--file", "bad.yml", "--update", "--", "true"] => "bad.yml:3: unknown limit: stat",
      ["--file", "empty.yml", "--", "true"] => "empty.yml: no limit in it; --update writes the counts of a run",
      ["--file", ".", "--", "true"] => "--file: .: Is a directory",
      ["--file", "none/b.yml", "--update", "--", "true"] => "--file: none/b.yml: No such file or directory",
      ["--max-stats", "1", "--json", "none/j", "--", "true"] => "--json: none/j: No such file or directory",
      ["--max-stats", "1", "--json", ".", "--", "true"] => "--json: .: Is a directory",
      ["--max-stats", "1", "--json", "-", "--", "true"] => "--json: standard output is the command's: name a file (got -)" }
      .each { |arguments, message| assert_refused(message, *arguments) }
  end

  # Nothing has run when a file turns out not to be writable.
  def test_files_are_tried_before_the_program_runs
    mkdir("closed")
    File.chmod(0o555, path("closed"), tree)
    [%w[--max-stats 1 --json closed/j], %w[--file closed/b.yml --update]].each do |options|
      command = "exit!(Frugal::CLI.start(#{["budget", *options, "--", "touch", "/proc/self/cwd/ran"].inspect}))"
      result = run_command(RUBY, "-w", "-I", LIB, "-e", "#{LOAD_COMMANDS}; #{BECOME_NOBODY}; #{command}", chdir: tree)
      assert_equal 2, result.exitstatus, result
      assert_match(/: Permission denied$/, result.err)
    end
    refute_path_exists path("ran")
  ensure
    File.chmod(0o755, tree)
  end

  def test_a_file_of_limits
    missing = budget("--file", "b.yml", "--update", "--", *RUBY_COMMAND, "waste.rb")
    assert_equal [0, "done\n"], [missing.exitstatus, missing.out], missing
    assert missing.err.start_with?("frugal: b.yml is written\n\n"), missing.err
    assert missing.err.end_with?("\nnext: frugal budget --file b.yml -- #{RUBY} --disable-gems waste.rb\n"), missing.err
    assert_equal counts(*RUBY_COMMAND, "waste.rb"), limits_in("b.yml")
    assert_equal 0, budget("--file", "b.yml", "--", *RUBY_COMMAND, "waste.rb").exitstatus

    over = budget("--file", "b.yml", "--", *RUBY_COMMAND, "-e", "2.times { raise 'x' rescue 0 }")
    assert_equal "frugal: over the budget by 1 exception\n", over.err.lines.first
    assert_equal 0, budget("--file", "b.yml", "--max-exceptions", "2", "--", *RUBY_COMMAND, "-e", "raise 'x' rescue 0").exitstatus
  end

  def test_an_update_keeps_comments_and_says_what_changed
    write("b.yml", "# ours\nexceptions: 9   # none, soon\nstats: 1\n")
    stats = counts(*RUBY_COMMAND, "waste.rb")["stats"]
    result = budget("--file", "b.yml", "--update", "--", *RUBY_COMMAND, "waste.rb")
    assert_equal "frugal: b.yml is updated: exceptions 9 → 1, stats 1 → #{stats}\n", result.err.lines.first.force_encoding("UTF-8")
    assert_equal "# ours\nexceptions: 1   # none, soon\nstats: #{stats}\n", File.read(path("b.yml"))

    before = File.stat(path("b.yml"))
    again = budget("--file", "b.yml", "--update", "--", *RUBY_COMMAND, "waste.rb")
    assert_equal "frugal: b.yml is unchanged\n", again.err.lines.first
    assert_equal before.ino, File.stat(path("b.yml")).ino, "it was written for nothing"
  end

  def test_a_failed_program_updates_nothing
    write("b.yml", "stats: 1\n")
    %w[b.yml new.yml].each do |file|
      assert_equal 4, budget("--file", file, "--update", "--", *RUBY_COMMAND, "-e", "exit 4").exitstatus
    end
    assert_equal "stats: 1\n", File.read(path("b.yml"))
    refute_path_exists path("new.yml")
  end

  def test_json
    budget("--max-exceptions", "0", "--max-writes", "99", "--json", "j.json", "--", *RUBY_COMMAND, "waste.rb")
    document = JSON.parse(File.read(path("j.json")))
    assert_equal({ "version" => 1, "command" => [*RUBY_COMMAND, "waste.rb"], "status" => { "exit" => 0, "signal" => nil },
                   "within" => false, "limits" => { "writes" => 99, "exceptions" => 0 },
                   "over" => [{ "limit" => "exceptions", "most" => 0, "count" => 1, "over" => 1, "lines" => [
                     { "file" => path("waste.rb"), "line" => 2, "count" => 1, "share" => 1.0 }
                   ] }] }, document.except("counts"))
    assert_equal counts(*RUBY_COMMAND, "waste.rb"), document["counts"]
  end

  def test_json_to_a_pipe_and_to_a_full_disk
    script = %("$0" "$1" budget --max-stats 9999 --json /dev/fd/3 -- "$0" -e 'puts 1' 3>&1 >out | cat)
    piped = run_command("/bin/sh", "-c", script, RUBY, EXE, chdir: tree)
    assert_equal [1, "1\n"], [JSON.parse(piped.out)["version"], File.read(path("out"))], piped
    return unless File.exist?("/dev/full")

    full = budget("--max-stats", "9999", "--json", "/dev/full", "--", *RUBY_COMMAND, "-e", "1")
    assert_equal [1, true], [full.exitstatus, full.err.start_with?("frugal: --json: /dev/full: No space left on device\n")], full
    assert_equal 3, budget("--max-stats", "9999", "--json", "/dev/full", "--", *RUBY_COMMAND, "-e", "exit 3").exitstatus
  end

  # The program may clean up the folder in which the report will be.
  def test_the_program_replaces_the_file
    code = "File.unlink('j.json'); File.write('j.json', 'x' * 99999)"
    assert_equal 0, budget("--max-stats", "9999", "--json", "j.json", "--", *RUBY_COMMAND, "-e", code).exitstatus
    assert_equal 1, JSON.parse(File.read(path("j.json")))["version"]
  end

  def test_input_and_descriptors_are_the_programs
    code = "print $stdin.read; print Dir.children('/proc/self/fd').map(&:to_i).sort.inspect"
    arguments = ["--disable-gems", "-e", code]
    plain = run_command(RUBY, *arguments, stdin: "in ", chdir: tree)
    counted = run_command(RUBY, EXE, "budget", "--max-stats", "9999", "--json", "j", "--", RUBY, *arguments, stdin: "in ", chdir: tree)
    assert_equal plain.out, counted.out
  end

  def test_a_closed_stderr_keeps_the_status
    { 0 => "exit 0", 3 => "exit 3" }.each do |status, code|
      result = run_command("/bin/sh", "-c", 'exec "$0" "$@" 2>&-', RUBY, EXE, "budget", "--max-stats", "9999", "--", RUBY, "-e", code)
      assert_equal status, result.exitstatus, result
    end
  end

  def test_a_program_that_cannot_be_recorded
    write("static.c", "int main(void) { return 0; }\n")
    compiled = system("cc", "-static", "-o", path("static"), path("static.c"), err: File::NULL)
    skip "no static libc" unless compiled

    result = budget("--max-calls", "9", "--", "./static")
    assert_equal 1, result.exitstatus, result
    assert result.err.start_with?("frugal: nothing could be counted in the command\n"), result.err
  end

  private

  def budget(*arguments) = run_command(RUBY, "-w", EXE, "budget", *arguments, chdir: tree)

  def counts(*command)
    assert budget("--max-writes", "999999", "--json", "counts.json", "--", *command).success?
    JSON.parse(File.read(path("counts.json"))).fetch("counts")
  end

  def limits_in(file) = File.readlines(path(file)).grep_v(/^#/).to_h { |line| [line[/\w+/], line[/\d+/].to_i] }

  def assert_refused(message, *arguments)
    arguments = arguments.map { |word| word == "true" ? "./ran" : word }
    result = budget(*arguments)
    assert_equal [2, ""], [result.exitstatus, result.out], result
    assert_includes result.err, message
    assert result.err.end_with?("frugal: next: frugal budget --help\n"), result
  end
end

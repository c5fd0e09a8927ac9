# frozen_string_literal: true

require_relative "../test_helper"
require "frugal/launcher"
require "json"
require "io/console"
require "pty"
require "frugal/profile/run"

# `frugal compare` as a user runs it: real commands in a temporary tree.
class CompareCommandTest < Frugal::TestCase
  EXE = File.join(ROOT, "exe/frugal")
  QUICK = %w[-n 1 --warmup 0 --no-file-calls].freeze
  SIDE = 'case "$RUBYOPT" in *frugal/autorun*) echo frugal;; *) echo stock;; esac'

  def test_the_verdict_comes_first_the_table_next_the_next_step_last
    result = compare("-n", "3", "--no-file-calls", "--", "ruby", "-rfind", "-e", "puts 1")

    assert result.success?, result
    lines = result.out.lines(chomp: true)
    verdict = /(frugal makes it \S+× (faster|slower)|no difference in time beyond noise) \(.+ → .+\)/
    assert_match(/\A(frugal takes more: .+; )?#{verdict}\z/, lines.first)
    assert_equal ["wall time", "CPU time", "allocations", "exceptions"],
                 result.out.scan(/^(?:wall|CPU|alloc|exc)\w*(?: time)?/)
    assert_match(/\Anext: frugal /, lines.last)
    progress = / …( \d+ s)?$| takes about |; the counting runs follow$/ # where it takes seconds
    assert_empty result.err.lines.grep_v(progress), "stderr is empty if it is not a terminal"
  end

  def test_stock_and_frugal_alternate_and_the_preparation_precedes_each
    result = compare("-n", "2", "--warmup", "1", "--no-file-calls", "--prepare", "echo - >> log",
                     "--", "sh", "-c", "{ #{SIDE}; } >> log")

    assert result.success?, result
    # Warm-up, two pairs, counting. No Ruby runs, so frugal has no counting run.
    order = %w[stock frugal stock frugal frugal stock stock]
    assert_equal order.flat_map { |side| ["-", side] }, File.readlines(path("log"), chomp: true)
  end

  def test_a_different_output_is_refused_and_shown
    result = compare(*QUICK, "--", "sh", "-c", "echo same; #{SIDE}; echo end")

    assert_equal 1, result.exitstatus, result
    assert_empty result.out
    assert_includes result.err, "frugal: refused: frugal changes what the command does"
    assert_includes result.err, "frugal: stdout, from line 2:\nfrugal:   stock  | stock\nfrugal:   stock  | end\n" \
                                "frugal:   frugal | frugal\nfrugal:   frugal | end\n"
  end

  def test_a_different_stderr_is_refused_and_shown
    result = compare(*QUICK, "--", "sh", "-c", "{ #{SIDE}; } >&2")

    assert_equal 1, result.exitstatus, result
    assert_includes result.err, "frugal: stderr, from line 1:\nfrugal:   stock  | stock\nfrugal:   frugal | frugal\n"
  end

  def test_a_different_exit_status_is_refused_even_if_the_output_is_ignored
    result = compare(*QUICK, "--ignore-output", "--", "sh", "-c", "test \"$(#{SIDE})\" = stock")

    assert_equal 1, result.exitstatus, result
    assert_includes result.err, "stock  | exit status 0\nfrugal:   frugal | exit status 1\n"
  end

  def test_a_command_with_a_different_output_each_time_is_refused
    result = compare(*QUICK, "--", "sh", "-c", "echo $$")

    assert_equal 1, result.exitstatus, result
    assert_includes result.err, "frugal: refused: the command does something different each time"
    assert_match(/stock again \| \d+$/, result.err)
    assert_includes result.err, "--ignore-output"
  end

  def test_an_output_that_is_different_each_time_can_be_ignored
    result = compare(*QUICK, "--ignore-output", "--", "ruby", "-e", "puts $$")

    assert result.success?, result
    assert_includes result.out, "warning: the output was not compared"
  end

  def test_a_command_that_fails_is_not_compared
    [%w[--warmup 1], %w[--warmup 0]].each do |warmup|
      result = compare("-n", "1", *warmup, "--", "ruby", "-e", "puts (1..9).to_a; File.write('ran', '.', mode: 'a'); exit 3")

      assert_equal [3, ""], [result.exitstatus, result.out], result
      assert_equal <<~TEXT, result.err.lines.first(6).join
        frugal: the command itself fails: exit status 3; nothing was compared
        frugal:   5
        frugal:   6
        frugal:   7
        frugal:   8
        frugal:   9
      TEXT
      assert_includes result.err.lines.last, "--ignore-failure -- ruby"
    end
    assert_equal "..", File.read(path("ran")), "one run per comparison"
    assert_equal 143, compare(*QUICK, "--", "sh", "-c", "kill -TERM $$").exitstatus
  end

  def test_a_failure_as_json
    result = compare(*QUICK, "--json", "result.json", "--", "sh", "-c", "echo no >&2; exit 3")
    assert_equal 3, result.exitstatus
    document = JSON.parse(File.read(path("result.json")))
    assert_equal ["failed", "exit status 3", 3, ["no"]], document.values_at("outcome", "ending", "status", "tail")
  end

  def test_no_drop_in_and_too_few_pairs_are_the_headline
    [[], %w[--warmup 0 --no-file-calls]].each do |options|
      assert_match(/\Ano drop-in was used: .+ \(/, compare("-n", "1", *options, "--", "ruby", "-e", "1").out)
    end
    assert_match(/\Atoo few pairs for a verdict on time \(/,
                 compare("-n", "2", "--no-counts", "--", "ruby", "-rfind", "-e", "1").out)
  end

  # The launcher makes more file calls than the command saves.
  def test_the_verdict_starts_with_what_frugal_takes_more_of
    needs_recorder
    assert_match(/\Afrugal takes more: (CPU time [^;]+, )?[\d,]+ → [\d,]+ file calls; too few pairs/,
                 compare("-n", "1", "--", "ruby", "-rfind", "-e", "1").out)
  end

  def test_an_interrupt_reports_the_pairs_so_far
    command = ["ruby", "-rfind", "-e", "File.write('ran', '.', mode: 'a'); sleep(File.size('ran') > 6 ? 60 : 0.1)"]
    pid = Process.spawn(RUBY, EXE, "compare", "-n", "9", "--no-file-calls", "--", *command,
                        chdir: tree, out: path("out"), err: path("err"))
    assert eventually { File.size?(path("ran")).to_i > 6 }
    sleep 0.3
    Process.kill(:INT, pid)
    _, status = Process.wait2(pid)

    assert_equal 130, status.exitstatus
    assert_match(/\Atoo few pairs|\Afrugal|\Ano/, File.read(path("out")))
    assert_includes File.read(path("out")), "warning: interrupted after 2 of 9 pairs: the report shows only these"
  end

  def test_a_line_of_progress_at_least_every_five_seconds
    result = compare("-n", "1", "--warmup", "0", "--no-counts", "--", "sleep", "5")
    assert_match(/\Afrugal: pair 1 of 1, stock … \d+ s\n/, result.err)
    assert_match(/^frugal: this takes about \d+ s$/, result.err)
  end

  def test_counting_takes_no_longer_than_the_timing
    result = compare("-n", "1", "--warmup", "0", "--", "ruby", "-rfind", "-e", "ENV['FRUGAL_COMPARE_COUNTS'] ? sleep(30) : 1")
    assert result.success?, result
    counted = Frugal::Profile::Run.supported? ? "allocations" : "allocations and exceptions"
    assert_includes result.out, "warning: #{counted} were not counted: " \
                                "counting took longer than all timed runs together"
  end

  def test_no_line_is_wider_than_the_terminal
    [38, 72].each do |columns|
      reader, terminal = PTY.open
      terminal.winsize = [20, columns]
      pid = Process.spawn({ "NO_COLOR" => "1" }, RUBY, EXE, "compare", "-n", "3", "--warmup", "0", "--no-file-calls",
                          "--", "ruby", "-rfind", "-e", "1", chdir: tree, out: terminal, err: File::NULL)
      terminal.close
      lines = drain(reader).lines(chomp: true)
      Process.wait(pid)
      refute_empty lines
      assert_empty lines.grep_v(/\Anext: /).map(&:rstrip).select { |line| line.size > columns }
      assert_operator lines.grep(/\Awall time/).first.split(/\s{2,}/).size, :>=, 3
    end
  end

  def test_a_command_that_fails_on_both_sides_is_compared_on_request
    result = compare(*QUICK, "--ignore-failure", "--", "ruby", "-e", "exit 3")

    assert result.success?, result
    assert_includes result.out, "warning: the command fails (exit status 3) on both sides"
  end

  def test_a_command_that_is_killed_on_both_sides_is_compared_on_request
    result = compare(*QUICK, "--ignore-failure", "--", "sh", "-c", "kill -TERM $$")

    assert result.success?, result
    assert_includes result.out, "warning: the command fails (killed by SIGTERM) on both sides"
  end

  def test_a_preparation_that_fails_ends_the_comparison
    result = compare(*QUICK, "--prepare", "echo nothing here >&2; exit 4", "--", "sh", "-c", "echo >> log")

    assert_equal 1, result.exitstatus, result
    assert_includes result.err, "frugal: --prepare ended with exit status 4"
    assert_includes result.err, "frugal: nothing here"
    refute_path_exists path("log")
  end

  def test_a_command_that_is_missing_or_cannot_be_executed
    write("not_executable", "#!/bin/sh\n")

    assert_equal 127, compare(*QUICK, "--", "no-such-command").exitstatus
    assert_equal 126, compare(*QUICK, "--", "./not_executable").exitstatus
  end

  def test_wrong_usage
    { %w[-n 0 -- ls] => "-n 0", %w[-n 9999999999999 -- ls] => "at most 1000", %w[--] => "no command",
      %w[--only ake -- ls] => "unknown drop-in: ake (available: rake",
      %w[--frog -- ls] => "--frog", %w[--json no/where -- ls] => "no such folder" }.each do |arguments, message|
      result = compare(*arguments)

      assert_equal 2, result.exitstatus, result
      assert_includes result.err, message
    end
  end

  def test_json_alone_on_the_standard_output
    result = compare(*QUICK, "--json", "-", "--", "ruby", "-e", "begin; raise 'x'; rescue; end")
    document = JSON.parse(result.out)

    assert_equal "compared", document["outcome"]
    assert_equal ["ruby", "-e", "begin; raise 'x'; rescue; end"], document["command"]
    assert_equal 1, document["wall"]["stock"]["samples"].size
    assert_equal({ "unavailable" => "not requested" }, document["file_calls"])
  end

  def test_a_command_that_is_not_ascii_in_any_locale
    %w[C C.UTF-8].each do |locale|
      result = compare(*QUICK, "--json", "result.json", "--", "ruby", "-e", "# é\xFF", env: { "LC_ALL" => locale })

      assert result.success?, result
      assert_equal "# é\uFFFD", JSON.parse(File.read(path("result.json")))["command"].last
    end
  end

  def test_json_of_a_refusal_goes_to_its_file
    result = compare(*QUICK, "--json", "result.json", "--", "sh", "-c", SIDE)
    document = JSON.parse(File.read(path("result.json")))

    assert_equal 1, result.exitstatus, result
    assert_equal "different", document["outcome"]
    assert_equal [{ "what" => "stdout", "line" => 1, "before" => ["stock\n"], "after" => ["frugal\n"] }],
                 document["differences"]
  end

  def test_file_calls_of_all_programs_are_counted
    needs_recorder
    write("input", "x" * 64)
    calls = file_calls("cat", "input", "input")

    assert_equal 2, calls["stock"]["kinds"]["open"]["calls"]
    return assert_equal calls["stock"], calls["frugal"], "the compiled launcher has no C library" unless by_script?

    assert_operator calls["frugal"]["total"], :>, calls["stock"]["total"], "the launcher is included"
    programs = %w[stock frugal].map { |side| calls[side]["kinds"].fetch("exec", { "calls" => 0, "errors" => 0 }) }
    assert_equal [0, 1], programs.map { |exec| exec["calls"] - exec["errors"] }, "frugal executes the launcher, and it cat"
  end

  # Both sides, with their environments: an empty one, a child, a process that is killed.
  def test_the_counts_are_those_of_frugal_budget
    needs_recorder
    ["system('cat input', unsetenv_others: true)", "fork { File.exist?('x'); Process.kill(:KILL, $$) }; Process.wait",
     "begin; File.open('none'); rescue; end; exec('/bin/cat', 'input')"].each do |script|
      write("input", "x")
      document = json("ruby", "--disable-gems", "-e", script)
      system(RUBY, EXE, "budget", "--max-calls", "0", "--json", "budget.json", "--", "ruby", "--disable-gems", "-e", script,
             chdir: tree, in: File::NULL, out: path("out"), err: path("err")) # cat copies to a file by other calls
      budget = JSON.parse(File.read(path("budget.json")))["counts"]
      assert_equal budget.values_at("calls", "exceptions"),
                   [document["file_calls"]["stock"]["total"], document["exceptions"]["stock"]], script
    end
  end

  # A second run of both sides counts objects, a third one file calls.
  def test_no_run_waits_for_a_daemon_and_its_calls_so_far_count
    needs_recorder
    script = "Process.wait(fork { Process.daemon(true); 9.times { File.size?('none') }; " \
             "File.write('daemons', %(\#{$$}\\n), mode: 'a'); sleep 600 }); sleep 0.01 until File.size?('daemons').to_i > before"
    calls = file_calls("ruby", "-e", "before = File.size?('daemons').to_i; #{script}")
    daemons = File.readlines(path("daemons")).map(&:to_i)

    assert_equal [6, []], [daemons.size, daemons.select { |daemon| ended?(daemon) }]
    assert_operator calls["stock"]["kinds"]["stat"]["errors"], :>=, 9
  ensure
    daemons&.each { |daemon| Process.kill(:KILL, daemon) }
  end

  def test_an_interrupt_in_the_counting_run_ends_the_command
    needs_recorder
    script = "File.write('ran', Process.pid.to_s + %(\\n), mode: 'a'); sleep(File.readlines('ran').size > 4 ? 60 : 0)"
    mkdir("temporary")
    pid = Process.spawn({ "TMPDIR" => path("temporary") }, RUBY, EXE, "compare", "-n", "1", "--warmup", "0", "--",
                        "ruby", "-e", script, chdir: tree, out: path("out"), err: path("err"))
    assert eventually { File.exist?(path("ran")) && File.readlines(path("ran")).size > 4 }, "no counting run"
    Process.kill(:INT, pid)
    _, status = Process.wait2(pid)

    assert_equal 130, status.exitstatus
    assert_includes File.read(path("out")), "warning: interrupted after 1 of 1 pairs"
    assert_empty Dir.children(path("temporary")).grep_v(/\Afrugal-recorder-/) # the link of a checkout whose path has spaces
    assert eventually { ended?(File.readlines(path("ran")).last.to_i) }, "the command still runs"
  end

  def test_a_warning_about_a_program_without_a_recorder
    needs_recorder
    compile_static_program
    result = compare("-n", "1", "--warmup", "0", "--", "sh", "-c", "./static")

    assert result.success?, result
    assert_match(/^warning: file calls: not recorded, because it is statically linked: #{tree}\S*static$/, result.out)
  end

  def test_a_warning_where_there_is_no_recorder
    patch = write("elsewhere.rb", "require 'frugal/profile/run'; Frugal::Profile::Run.define_singleton_method(:supported?) { false }")
    result = run_command(RUBY, "-I", LIB, "-r", patch, EXE, "compare", "-n", "3", "--", "ruby", "-rfind", "-e", "1", chdir: tree)

    assert result.success?, result
    assert_includes result.out, "warning: file calls were not counted: the native recorder needs MRI on a 64-bit Linux\n"
    assert_match(/^wall time .+^exceptions .+/m, result.out.force_encoding(Encoding::UTF_8))
  end

  def test_a_terminal_shows_one_line_of_progress_that_disappears
    out, terminal = PTY.open
    pid = Process.spawn(RUBY, EXE, "compare", *QUICK, "--", "true", chdir: tree, out: File::NULL, err: terminal)
    terminal.close
    shown = drain(out)
    Process.wait(pid)

    assert_includes shown, "\r\e[Kpair 1 of 1, stock …\r\e[Kpair 1 of 1, frugal …"
    assert shown.end_with?("\r\e[K"), shown.inspect
    refute_includes shown, "\n"
  end

  def test_an_interrupt_ends_the_command_and_leaves_nothing
    mkdir("temporary")
    command = ["sh", "-c", "sleep 600 & echo $! > pid.part; mv pid.part pid; wait"]
    pid = Process.spawn({ "TMPDIR" => path("temporary") }, RUBY, EXE, "compare", *QUICK, "--", *command,
                        chdir: tree, err: path("err"))
    assert eventually { File.exist?(path("pid")) }, "the command never ran: #{File.read(path("err"))}"
    Process.kill(:INT, pid)
    _, status = Process.wait2(pid)

    assert_equal 130, status.exitstatus
    assert_equal "frugal: interrupted\n", File.read(path("err"))
    assert_empty Dir.children(path("temporary")).grep_v(/\Afrugal-recorder-/) # the link of a checkout whose path has spaces
    assert eventually { ended?(File.read(path("pid")).to_i) }, "the child process of the command still runs"
  end

  private

  def needs_recorder
    skip "the recorder needs MRI on a 64-bit Linux" unless Frugal::Profile::Run.supported?
  end

  # A path with white space is left to the shell.
  def by_script? = Frugal::Launcher.command.first == "/bin/sh" || ROOT.match?(/\s/)

  def json(*command) = JSON.parse(compare("-n", "1", "--warmup", "0", "--json", "-", "--", *command).out)

  def file_calls(*command) = json(*command)["file_calls"]

  # The loader does not preload anything into it.
  def compile_static_program
    source = write("static.c", "int main(void) { return 0; }")
    skip "no static program can be compiled" unless system("cc", "-static", "-o", path("static"), source, err: File::NULL)
  end

  def compare(*arguments, env: {})
    run_command(RUBY, "-w", EXE, "compare", *arguments, env: env, chdir: tree)
      .tap { |result| [result.out, result.err].each { |text| text.force_encoding(Encoding::UTF_8) } }
  end

  def drain(io)
    text = String.new(encoding: Encoding::UTF_8)
    loop { text << io.readpartial(4096).force_encoding(Encoding::UTF_8) }
  rescue Errno::EIO, EOFError # the terminal's other end is closed
    text
  end

  # Whether a process has ended; init may not have waited for it yet (a zombie).
  def ended?(pid)
    Process.kill(0, pid)
    File.read("/proc/#{pid}/stat").match?(/\) Z/)
  rescue Errno::ESRCH, Errno::ENOENT
    true
  end
end

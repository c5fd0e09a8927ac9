# frozen_string_literal: true

require_relative "../test_helper"
require "json"
require "io/console"
require "pty"

# `frugal compare` as people run it: real commands, in a tree of their own.
class CompareCommandTest < Frugal::TestCase
  EXE = File.join(ROOT, "exe/frugal")
  QUICK = %w[-n 1 --warmup 0 --no-system-calls].freeze
  SIDE = 'case "$RUBYOPT" in *frugal/autorun*) echo frugal;; *) echo stock;; esac'

  def test_the_verdict_comes_first_the_table_next_the_next_step_last
    result = compare("-n", "3", "--no-system-calls", "--", "ruby", "-rfind", "-e", "puts 1")

    assert result.success?, result
    lines = result.out.lines(chomp: true)
    assert_match(/\A(frugal takes more: .+; )?(frugal makes it \S+× (faster|slower)|no difference in time beyond noise) \(.+ → .+\)\z/, lines.first)
    assert_equal ["wall time", "CPU time", "allocations", "exceptions"], result.out.scan(/^(?:wall|CPU|alloc|exc)\w*(?: time)?/)
    assert_match(/\Anext: frugal /, lines.last)
    assert_empty result.err, "nothing on stderr when it is no terminal"
  end

  def test_stock_and_frugal_alternate_and_the_preparation_precedes_each
    result = compare("-n", "2", "--warmup", "1", "--no-system-calls", "--prepare", "echo - >> log",
                     "--", "sh", "-c", "{ #{SIDE}; } >> log")

    assert result.success?, result
    order = %w[stock frugal stock frugal frugal stock stock] # warm-up, two pairs; no Ruby runs, so nothing is counted under frugal
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

  def test_a_different_exit_status_is_refused_even_without_a_look_at_the_output
    result = compare(*QUICK, "--ignore-output", "--", "sh", "-c", "test \"$(#{SIDE})\" = stock")

    assert_equal 1, result.exitstatus, result
    assert_includes result.err, "stock  | exit status 0\nfrugal:   frugal | exit status 1\n"
  end

  def test_a_command_that_does_not_repeat_itself_is_told_apart
    result = compare(*QUICK, "--", "sh", "-c", "echo $$")

    assert_equal 1, result.exitstatus, result
    assert_includes result.err, "frugal: refused: the command does not repeat itself"
    assert_match(/stock again \| \d+$/, result.err)
    assert_includes result.err, "--ignore-output"
  end

  def test_an_output_that_does_not_repeat_itself_can_be_ignored
    result = compare(*QUICK, "--ignore-output", "--", "ruby", "-e", "puts $$")

    assert result.success?, result
    assert_includes result.out, "warning: the output was not compared"
  end

  def test_a_command_that_fails_is_told_first_with_the_end_of_its_output
    [%w[--warmup 1], %w[--warmup 0]].each do |warmup|
      result = compare("-n", "1", *warmup, "--", "ruby", "-e", "puts (1..9).to_a; File.write('ran', '.', mode: 'a'); exit 3")

      assert_equal [3, ""], [result.exitstatus, result.out], result
      assert_equal <<~TEXT, result.err.lines.first(6).join
        frugal: the command fails as it is: exit status 3; nothing was compared
        frugal:   5
        frugal:   6
        frugal:   7
        frugal:   8
        frugal:   9
      TEXT
      assert_includes result.err.lines.last, "--ignore-failure -- ruby"
    end
    assert_equal "..", File.read(path("ran")), "once each"
    assert_equal 143, compare(*QUICK, "--", "sh", "-c", "kill -TERM $$").exitstatus
  end

  def test_a_failure_as_json
    result = compare(*QUICK, "--json", "result.json", "--", "sh", "-c", "echo no >&2; exit 3")
    assert_equal 3, result.exitstatus
    assert_equal ["failed", "exit status 3", 3, ["no"]], JSON.parse(File.read(path("result.json"))).values_at("outcome", "ending", "status", "tail")
  end

  def test_no_drop_in_and_too_few_pairs_are_the_headline
    [[], %w[--warmup 0 --no-system-calls]].each do |options|
      assert_match(/\Ano drop-in was used: .+ \(/, compare("-n", "1", *options, "--", "ruby", "-e", "1").out)
    end
    assert_match(/\Atoo few pairs for a verdict on time \(/, compare("-n", "2", "--no-counts", "--", "ruby", "-rfind", "-e", "1").out)
  end

  # 20 calls are made once each, and frugal's launch is more.
  def test_what_frugal_takes_more_of_is_said_first
    skip "strace is not here" unless Cost::Strace.available?
    assert_match(/\Afrugal takes more: (CPU time [^;]+, )?[\d,]+ → [\d,]+ system calls; too few pairs/, compare("-n", "1", "--", "ruby", "-rfind", "-e", "1").out)
  end

  def test_an_interrupt_shows_what_is_known
    command = ["ruby", "-rfind", "-e", "File.write('ran', '.', mode: 'a'); sleep(File.size('ran') > 6 ? 60 : 0.1)"]
    pid = Process.spawn(RUBY, EXE, "compare", "-n", "9", "--no-system-calls", "--", *command, chdir: tree, out: path("out"), err: path("said"))
    assert eventually { File.size?(path("ran")).to_i > 6 }
    sleep 0.3
    Process.kill(:INT, pid)
    _, status = Process.wait2(pid)

    assert_equal 130, status.exitstatus
    assert_match(/\Atoo few pairs|\Afrugal|\Ano/, File.read(path("out")))
    assert_includes File.read(path("out")), "warning: interrupted after 2 of 9 pairs: this is what is known"
  end

  def test_never_five_seconds_without_a_sign_of_life
    result = compare("-n", "1", "--warmup", "0", "--no-counts", "--", "sleep", "5")
    assert_match(/\Afrugal: pair 1 of 1, stock … 4 s\n/, result.err)
    assert_match(/^frugal: this takes about \d+ s$/, result.err)
  end

  # A run that ends is counted; strace takes many times as long for one that only calls.
  def test_counting_takes_no_longer_than_the_timing
    skip "strace is not here" unless Cost::Strace.available?
    result = compare("-n", "1", "--warmup", "0", "--", "ruby", "-rfind", "-e", "ENV['FRUGAL_COMPARE_COUNTS'] ? sleep(30) : 1")
    assert result.success?, result
    assert_includes result.out, "warning: allocations and exceptions were not counted: it took longer than all of the timing"
  end

  def test_no_line_is_wider_than_the_terminal
    [38, 72].each do |columns|
      reader, terminal = PTY.open
      terminal.winsize = [20, columns]
      pid = Process.spawn({ "NO_COLOR" => "1" }, RUBY, EXE, "compare", "-n", "3", "--warmup", "0", "--no-system-calls", "--", "ruby", "-rfind", "-e", "1",
                          chdir: tree, out: terminal, err: File::NULL)
      terminal.close
      lines = drain(reader).lines(chomp: true)
      Process.wait(pid)
      refute_empty lines
      assert_empty lines.grep_v(/\Anext: /).map(&:rstrip).select { |line| line.size > columns }
      assert_operator lines.grep(/\Awall time/).first.split(/\s{2,}/).size, :>=, 3
    end
  end

  def test_a_command_that_fails_alike_is_compared
    result = compare(*QUICK, "--ignore-failure", "--", "ruby", "-e", "exit 3")

    assert result.success?, result
    assert_includes result.out, "warning: the command fails (exit status 3), alike on both sides"
  end

  def test_a_command_that_dies_alike_is_compared
    result = compare(*QUICK, "--ignore-failure", "--", "sh", "-c", "kill -TERM $$")

    assert result.success?, result
    assert_includes result.out, "warning: the command fails (killed by SIGTERM), alike on both sides"
  end

  def test_a_preparation_that_fails_ends_it
    result = compare(*QUICK, "--prepare", "echo nothing here >&2; exit 4", "--", "sh", "-c", "echo >> log")

    assert_equal 1, result.exitstatus, result
    assert_includes result.err, "frugal: --prepare ended with exit status 4"
    assert_includes result.err, "frugal: nothing here"
    refute_path_exists path("log")
  end

  def test_a_command_that_is_not_there_or_cannot_be_executed
    write("plain", "#!/bin/sh\n")

    assert_equal 127, compare(*QUICK, "--", "no-such-command").exitstatus
    assert_equal 126, compare(*QUICK, "--", "./plain").exitstatus
  end

  def test_wrong_usage
    { %w[-n 0 -- ls] => "-n 0", %w[-n 9999999999999 -- ls] => "at most 1000", %w[--] => "no command", %w[--only ake -- ls] => "ake; there is rake",
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
    assert_equal({ "unavailable" => "not asked for" }, document["system_calls"])
  end

  def test_words_beyond_ascii_in_any_locale
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
    assert_equal [{ "what" => "stdout", "line" => 1, "before" => ["stock\n"], "after" => ["frugal\n"] }], document["differences"]
  end

  def test_system_calls_are_counted_with_strace
    skip "strace is not here" unless Cost::Strace.available?
    write("input", "x" * 64)
    result = compare("-n", "1", "--warmup", "0", "--json", "-", "--", "cat", "input", "input")
    calls = JSON.parse(result.out)["system_calls"]

    assert_operator calls["frugal"]["total"], :>, calls["stock"]["total"], "the launcher is in it"
    programs = %w[stock frugal].map { |side| calls[side]["kinds"]["execve"].values_at("calls", "errors").inject(:-) }
    assert_equal [1, 2], programs, "cat; the launcher and cat"
  end

  def test_without_strace_it_says_so
    mkdir("bin")
    symlink(RUBY, "bin/ruby")
    result = compare("-n", "1", "--warmup", "0", "--", "ruby", "-e", "1", env: { "PATH" => path("bin") })

    assert result.success?, result
    assert_includes result.out, "warning: system calls were not counted: strace is not installed"
  end

  def test_where_strace_may_not_trace_it_says_why
    File.chmod(0o755, write("bin/strace", "#!/bin/sh\necho 'strace: ptrace(PTRACE_SEIZE): Operation not permitted' >&2\nexit 1\n"))
    result = compare("-n", "1", "--warmup", "0", "--", "ruby", "-e", "1", env: { "PATH" => "#{path("bin")}:#{ENV["PATH"]}" })

    assert result.success?, result
    assert_includes result.out, "not counted: strace cannot trace here: ptrace(PTRACE_SEIZE): Operation not permitted"
  end

  def test_a_terminal_sees_one_line_of_progress_that_goes_away
    out, terminal = PTY.open
    pid = Process.spawn(RUBY, EXE, "compare", *QUICK, "--", "true", chdir: tree, out: File::NULL, err: terminal)
    terminal.close
    said = drain(out)
    Process.wait(pid)

    assert_includes said, "\r\e[Kpair 1 of 1, stock …\r\e[Kpair 1 of 1, frugal …"
    assert said.end_with?("\r\e[K"), said.inspect
    refute_includes said, "\n"
  end

  def test_an_interrupt_ends_the_command_and_leaves_nothing
    mkdir("temporary")
    command = ["sh", "-c", "sleep 600 & echo $! > pid.part; mv pid.part pid; wait"]
    pid = Process.spawn({ "TMPDIR" => path("temporary") }, RUBY, EXE, "compare", *QUICK, "--", *command,
                        chdir: tree, err: path("said"))
    assert eventually { File.exist?(path("pid")) }, "the command never ran: #{File.read(path("said"))}"
    Process.kill(:INT, pid)
    _, status = Process.wait2(pid)

    assert_equal 130, status.exitstatus
    assert_equal "frugal: interrupted\n", File.read(path("said"))
    assert_empty Dir.children(path("temporary"))
    assert eventually { gone?(File.read(path("pid")).to_i) }, "the command's own child is still there"
  end

  private

  def compare(*arguments, env: {})
    run_command(RUBY, "-w", EXE, "compare", *arguments, env: env, chdir: tree)
      .tap { |result| [result.out, result.err].each { |said| said.force_encoding(Encoding::UTF_8) } }
  end

  def drain(io)
    said = String.new(encoding: Encoding::UTF_8)
    loop { said << io.readpartial(4096).force_encoding(Encoding::UTF_8) }
  rescue Errno::EIO, EOFError # the terminal's other end is closed
    said
  end

  # Waits for what other processes do; five seconds are plenty.
  def eventually
    deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + 5
    sleep 0.01 until (done = yield) || Process.clock_gettime(Process::CLOCK_MONOTONIC) > deadline
    done
  end

  # Gone, or a zombie that waits for init to notice.
  def gone?(pid)
    Process.kill(0, pid)
    File.read("/proc/#{pid}/stat").match?(/\) Z/)
  rescue Errno::ESRCH, Errno::ENOENT
    true
  end
end

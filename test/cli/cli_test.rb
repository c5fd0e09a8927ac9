# frozen_string_literal: true

require_relative "../test_helper"
require "json"
require "frugal/cli"

# The command line: the help of every command has examples, and every error message has a next step.
class CLITest < Frugal::TestCase
  COMMANDS = %w[demo run compare profile budget doctor walk store bench completions].freeze

  def frugal(*argv, env: {}, **options)
    run_command("#{ROOT}/bin/frugal", *argv, env: { "RUBYOPT" => nil, **env }, **options)
  end

  # @return [Array(Integer, String)] the status and the errors of a command that runs in a fork, in the tree of the test
  def started(*argv)
    in_process do
      Dir.chdir(tree)
      status = nil
      _, errors = capture_io { status = Frugal::CLI.start(argv) }
      [status, errors]
    end
  end

  def test_the_overview_names_every_command
    overview = frugal
    assert overview.success?, overview
    COMMANDS.each { |name| assert_match(/^  #{name} +\S/, overview.out) }
    [%w[--help], %w[-h], %w[help], %w[help --help]].each { |argv| assert_equal overview.out, frugal(*argv).out }
  end

  def test_the_help_of_every_command
    COMMANDS.each do |name|
      help = frugal(name, "--help")
      assert help.success?, help
      assert_match(/\Ausage: frugal #{name}/, help.out)
      assert_operator help.out.scan(/^  frugal /).size, :>=, 2, "two examples: #{help}"
      assert_match(/^next: /, help.out)
      assert_equal help.out, frugal("help", name).out
    end
  end

  def test_version
    %w[--version -V -v].each { |option| assert_equal "frugal #{Frugal::VERSION}\n", frugal(option).out }
  end

  def test_version_as_json
    [%w[version --json], %w[--version --json]].each do |words|
      assert_equal({ "version" => Frugal::VERSION }, JSON.parse(frugal(*words).out))
    end
    assert_equal [2, "frugal: unexpected argument: x\nfrugal: next: frugal --help\n"], frugal("version", "x").then { |result| [result.exitstatus, result.err] }
  end

  # OptionParser takes any word as a value, so a forgotten one would swallow the `--`, or the next option.
  def test_an_option_without_its_value
    COMMANDS.drop(2).each do |name|
      definition = Frugal::CLI::Definition[name]
      definition.options.select(&:argument).each do |option|
        ["--", option.long].each do |word|
          status, err = started(name, option.long, word, "true")
          assert_equal 2, status, err
          assert_match(/\Afrugal: #{name}: (?:missing|invalid) argument: #{option.long}/, err)
        end
      end
    end
    assert_empty Dir.children(tree), "no file is named --"
  end

  def test_an_unknown_engine
    result = run_command(RUBY, "#{ROOT}/exe/frugal", "doctor", env: { "FRUGAL_ENGINE" => "bogus" })
    assert_equal [2, "", "frugal: doctor: FRUGAL_ENGINE must be c or pure (got bogus); unset it to use the best available engine\n" \
                         "frugal: next: frugal doctor --help\n"],
                 [result.exitstatus, result.out, result.err]
    %w[c pure].each { |engine| assert_equal 0, run_command(RUBY, "#{ROOT}/exe/frugal", "version", env: { "FRUGAL_ENGINE" => engine }).exitstatus }
  end

  def test_a_mistyped_command
    { "dcotor" => "doctor", "rum" => "run", "comp" => "compare" }.each do |typed, meant|
      result = frugal(typed)
      assert_equal 2, result.exitstatus
      assert_equal "frugal: unknown command: #{typed}. Did you mean #{meant}?\nfrugal: next: frugal --help\n", result.err
    end
    assert_includes frugal("help", "zebra").err, "unknown command: zebra\n"
    assert_includes frugal("co\xFFpare").err.b, "unknown command: co\xFFpare. Did you mean compare?\n".b
  end

  def test_an_option_before_the_command
    result = frugal("--only", "rake", "run", "--", "rake")
    assert_equal [2, "frugal: unknown option: --only (options come after the command)\nfrugal: next: frugal --help\n"], [result.exitstatus, result.err]
  end

  # The suggestion is in the same line, with its dashes.
  def test_a_mistyped_option
    { %w[walk --dux] => "walk: invalid option: --dux. Did you mean --du?", %w[store stats --jsn x] => "store: invalid option: --jsn. Did you mean --json?",
      %w[compare --waarmup 2 rake] => "compare: invalid option: --waarmup. Did you mean --warmup?" }.each do |words, message|
      result = frugal(*words)
      assert_equal [2, "frugal: #{message}\nfrugal: next: frugal #{words.first} --help\n"], [result.exitstatus, result.err]
    end
  end

  def test_a_reader_that_ends_early
    result = run_command("sh", "-c", %("$0" --help | :), "#{ROOT}/bin/frugal")
    assert_equal "", result.err
  end

  # Lost output is an error.
  def test_a_closed_standard_output
    [%w[--help], %w[walk .], %w[doctor], %w[bench]].each do |words|
      result = run_command("sh", "-c", %(exec 1>&-; exec "$0" "$@"), "#{ROOT}/bin/frugal", *words)
      assert_equal ["frugal: standard output is closed\n", 1], [result.err, result.exitstatus], words
    end
  end

  def test_a_full_disk
    skip "this system has no /dev/full" unless File.exist?("/dev/full")

    [%w[--help], %w[help run], %w[bench], %w[completions bash],
     ["store", "stats", write("a.store", "")]].each do |words|
      result = run_command("sh", "-c", %("$0" "$@" > /dev/full), "#{ROOT}/bin/frugal", *words)
      assert_equal [1, "frugal: standard output: No space left on device\n"], [result.exitstatus, result.err], words.inspect
    end
  end

  def test_bench_lists_and_refuses
    names = Dir.children("#{ROOT}/bench").grep(/\.rb\z/).map { |file| file.delete_suffix(".rb") }.sort
    assert_equal names, frugal("bench").out.lines.take_while { |line| line != "\n" }.map { |line| line[/\S+/] }
    result = frugal("bench", "zebra")
    assert_equal 2, result.exitstatus
    assert_match(/\Afrugal: bench: unknown benchmark: zebra \(available: .*\)\nfrugal: next: frugal bench --help\n\z/, result.err)
  end

  def test_bench_runs_a_script_with_its_arguments
    %w[lib libexec exe].each { |part| FileUtils.cp_r("#{ROOT}/#{part}", tree) }
    write("bench/echo.rb", "#!/usr/bin/env ruby\n# frozen_string_literal: true\n\n# Says its arguments.\n# More.\np ARGV\nexit 3\n")
    listed = run_command(RUBY, path("exe/frugal"), "bench")
    assert_equal "echo  Says its arguments.\n\nnext: frugal bench echo\n", listed.out
    result = run_command(RUBY, path("exe/frugal"), "bench", "echo", "--size", "a b")
    assert_equal [%(["--size", "a b"]\n), 3], [result.out, result.exitstatus]
  end

  def test_bold_only_on_a_terminal
    script = 'require "frugal/cli/paint"; require "stringio"; tty = StringIO.new; def tty.tty? = true; ' \
             'print [Frugal::CLI::Paint.bold("a"), Frugal::CLI::Paint.bold("a", tty)].inspect'
    { { "NO_COLOR" => nil, "TERM" => "xterm" } => ["a", "\e[1ma\e[0m"], { "NO_COLOR" => "1" } => %w[a a],
      { "NO_COLOR" => nil, "TERM" => "dumb" } => %w[a a] }.each do |env, expected|
      assert_equal expected.inspect, run_ruby("-e", script, env: env).out
    end
  end
end

# frozen_string_literal: true

require_relative "../test_helper"

# The launcher in C, in the places where it can be. test/cli/run_test.rb runs the same tests with it and with the script.
class CompiledLauncherTest < Frugal::TestCase
  COMPILED = "#{ROOT}/lib/frugal/native/#{Frugal::Platform::ABI}/frugal-run".freeze
  NO_ENV = { "RUBYOPT" => nil, "RUBYLIB" => nil, "FRUGAL_ENGINE" => nil }.freeze
  SHOW = %(print ENV["RUBYOPT"])

  def setup
    super
    skip "the launcher is not compiled here" unless File.executable?(COMPILED)
  end

  def test_its_cost
    skip "strace is not installed" unless Cost::Strace.available?
    skip "it has a C library here" unless RUBY_PLATFORM.match?(/(?:x86_64|aarch64).*linux/)
    skip "a path with white space is left to the shell" if ROOT.match?(/\s/)

    result = run_command("strace", "-o", path("trace"), COMPILED, "run", "--", RUBY, "--disable=gems", "-e", "", env: NO_ENV)
    assert result.success?, result
    calls = File.readlines(path("trace")).map { |line| line[/\A\w+/] }
    assert_equal %w[execve readlinkat faccessat execve], calls.first(4)
  end

  def test_bin_frugal_of_a_checkout_that_was_moved
    root = checkout
    %w[bin/frugal chain].each do |name|
      symlink("checkout/bin/frugal", "chain") if name == "chain"
      file = name == "chain" ? path(name) : "#{root}/#{name}"
      assert_equal "-r#{root}/lib/frugal/autorun.rb", run_command(file, "run", RUBY, "-e", SHOW, env: NO_ENV).out
    end
  end

  def test_a_checkout_without_its_library_calls_bin_setup
    root = checkout
    FileUtils.rm_rf(Dir.glob("#{root}/lib/frugal/native/{*/frugal.*,ready.so}"))
    write("checkout/bin/setup", "#!/bin/sh\ntouch #{path("called")}\nexit 69\n")
    File.chmod(0o755, "#{root}/bin/setup")
    assert_equal 69, run_command("#{root}/bin/frugal", "run", "true", env: NO_ENV).exitstatus
    assert_path_exists path("called")
  end

  def test_a_launcher_that_was_moved_alone_finds_its_checkout
    FileUtils.mkdir_p(path("other/bin"))
    [path("frugal"), path("other/bin/frugal")].each do |file|
      FileUtils.cp(COMPILED, file)
      assert_equal Frugal::VERSION, run_command(file, "--version", env: NO_ENV).out[/[\d.]+/]
      assert_includes run_command(file, "run", RUBY, "-e", SHOW, env: NO_ENV).out, "autorun"
    end
  end

  # The shell executes it itself.
  def test_a_script_without_an_interpreter
    File.chmod(0o755, write("bin/script", "echo ran $0 $1\n"))
    [[path("bin/script"), {}], ["script", { "PATH" => "#{path("bin")}:#{ENV.fetch("PATH")}" }]].each do |name, env|
      results = [[COMPILED], ["/bin/sh", "#{ROOT}/libexec/frugal-run"]].map do |launcher|
        result = run_command(*launcher, "run", name, "one", env: NO_ENV.merge(env))
        [result.out, result.err, result.exitstatus]
      end
      assert_equal results.last, results.first
      assert_match(/\Aran .*script one\n\z/, results.first.first)
    end
  end

  def test_options_of_the_user
    { "" => "-rX", "-W0" => "-rX -W0", "-rX" => "-rX", "-W0 -rX -w" => "-W0 -rX -w", "-rXy -W0" => "-rX -rXy -W0" }.each do |given, expected|
      option = "-r#{ROOT}/lib/frugal/autorun.rb"
      # Ruby would read RUBYOPT, and so fail in some of these cases.
      shown = run_command(COMPILED, "run", "sh", "-c", 'printf %s "$RUBYOPT"', env: NO_ENV.merge("RUBYOPT" => given.gsub("-rX", option))).out
      skip "the path has white space" if ROOT.match?(/\s/)
      assert_equal expected.gsub("-rX", option), shown
    end
  end

  private

  # A copy of this checkout, at another place than that for which its launcher was compiled.
  def checkout
    FileUtils.mkdir_p(path("checkout/bin"))
    %w[lib libexec exe].each { |part| FileUtils.cp_r("#{ROOT}/#{part}", path("checkout")) }
    FileUtils.cp(COMPILED, path("checkout/bin/frugal"))
    path("checkout")
  end
end

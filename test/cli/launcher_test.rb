# frozen_string_literal: true

require_relative "../test_helper"
require "frugal/cli"

# The launcher where something is missing or wrong: no Ruby, no library, an unknown engine, a deleted folder. And a
# program that requires frugal where only `frugal run` knows it.
class LauncherTest < Frugal::TestCase
  LAUNCHER = "#{ROOT}/bin/frugal"
  NO_ENV = { "RUBYOPT" => nil, "RUBYLIB" => nil, "FRUGAL_ENGINE" => nil, "BUNDLE_GEMFILE" => nil }.freeze

  def frugal(*argv, launcher: LAUNCHER, env: {}, **options)
    run_command(launcher, *argv, env: NO_ENV.merge(env), **options)
  end

  def test_help_and_version_without_ruby
    { %w[--version] => "version", %w[version] => "version", [] => "frugal", %w[--help] => "frugal", %w[help] => "frugal",
      **Frugal::CLI::COMMANDS.flat_map { |name| [[["help", name], name], [[name, "--help"], name], [[name, "-h"], name]] }.to_h }.each do |argv, page|
      result = frugal(*argv, env: without_ruby)
      assert_equal [File.read("#{ROOT}/libexec/help/#{page}.txt"), "", 0], [result.out, result.err, result.exitstatus], argv.inspect
    end
    assert_equal frugal("--help").out, File.read("#{ROOT}/libexec/help/frugal.txt")
    assert_equal frugal("run", "--help").out, File.read("#{ROOT}/libexec/help/run.txt")
  end

  # In a fresh checkout, they do not call bin/setup, which installs and compiles.
  def test_help_and_version_compile_nothing
    FileUtils.cp_r(%w[lib libexec exe].map { |part| "#{ROOT}/#{part}" }, mkdir("checkout"))
    FileUtils.rm_rf(Dir.glob(path("checkout/lib/frugal/native/{ruby-*,ready.so}")))
    write("checkout/bin/setup", "#!/bin/sh\ntouch #{path("called")}\nexit 69\n")
    File.chmod(0o755, path("checkout/bin/setup"))
    symlink("../libexec/frugal-run", "checkout/bin/frugal")
    [%w[--version], %w[--help], %w[run --help], %w[walk -h], %w[help run]].each do |argv|
      result = frugal(*argv, launcher: path("checkout/bin/frugal"))
      assert result.success?, result
      refute_path_exists path("called"), argv.inspect
    end
    assert_equal 69, frugal("walk", launcher: path("checkout/bin/frugal")).exitstatus
    assert_path_exists path("called")
  end

  def test_no_ruby
    result = frugal("walk", env: without_ruby)
    assert_equal 127, result.exitstatus
    assert_match(/\Afrugal: ruby: command not found\. frugal needs Ruby 3\.1 or newer in PATH .*FRUGAL_RUBY\n\z/, result.err)
    assert_includes frugal("help", "zebra", env: without_ruby).err, "ruby: command not found"
  end

  def test_an_unknown_engine
    result = frugal("run", "--", "true", env: { "FRUGAL_ENGINE" => "bogus" })
    assert_equal 2, result.exitstatus
    assert_equal "frugal: run: FRUGAL_ENGINE must be c or pure (got bogus); unset it to use the best available engine\n" \
                 "frugal: next: frugal run --help\n", result.err
    line = "frugal: FRUGAL_ENGINE must be c or pure (got bogus), so it is ignored: frugal uses c\n"
    assert_equal line, run_ruby("-e", "", env: NO_ENV.merge("FRUGAL_ENGINE" => "bogus")).err
    assert_equal line, run_ruby("-e", 'require "frugal/rake"; fork { 1 }; Process.wait', env: NO_ENV.merge("FRUGAL_ENGINE" => "bogus")).err
    %w[c pure].each { |engine| assert_equal "", run_ruby("-e", "", env: NO_ENV.merge("FRUGAL_ENGINE" => engine)).err }
  end

  # As `path:` in a Gemfile: nobody else says that it is slow.
  def test_a_checkout_that_is_not_compiled
    lib = uncompiled_checkout
    line = "frugal: this checkout is not compiled for #{Frugal::Platform::ABI}, so frugal runs in plain Ruby: " \
           "run #{path("checkout/bin/setup")} --compile, or set FRUGAL_ENGINE=pure\n"
    assert_equal ["pure", line], load_from(lib)
    assert_equal ["pure", ""], load_from(lib, env: { "FRUGAL_ENGINE" => "pure" })
    assert_equal ["pure", ""], load_from(lib, env: { "FRUGAL" => "0" })
    assert_equal ["pure", ""], load_from(lib, "-W0")
    assert_equal ["pure", ""], load_from(lib, "-r#{lib}/frugal/autorun.rb"), "a child process of frugal run"
    missing = line.sub("this checkout is not compiled", "there is no engine c").sub(/, or set.*$/, "")
    assert_equal ["pure", missing], load_from(lib, env: { "FRUGAL_ENGINE" => "c" })
    FileUtils.rm(path("checkout/bin/setup"))
    assert_equal ["pure", ""], load_from(lib), "the installation of a gem has said it"
  end

  def test_an_option_without_its_value
    [%w[--only -- true], %w[--except -- true], %w[--only --except dir true], %w[--only], %w[--only= -- true]].each do |argv|
      result = frugal("run", *argv)
      assert_equal 2, result.exitstatus, result
      assert_match(/\Afrugal: run: #{argv.first.chomp("=")} needs the names of drop-ins \(available: rake /, result.err)
    end
  end

  def test_a_deleted_folder
    mkdir("gone")
    code = "Dir.chdir(ARGV.shift); Dir.rmdir(Dir.pwd); exec(*ARGV)"
    show = "print ENV['PWD'], ' ', defined?(Frugal::Autorun), ENV['FRUGAL_PWD'].inspect"
    result = run_command(RUBY, "-e", code, path("gone"), RUBY, "#{ROOT}/exe/frugal", "run", "--", RUBY, "-e", show, env: { **NO_ENV, "PWD" => "/before" })
    assert_equal ["/before constantnil", ""], [result.out.sub("expression", "constant"), result.err]
    launcher = "#{LIB}/frugal/native/#{Frugal::Platform::ABI}/frugal-run"
    skip "no compiled launcher is here, and a shell complains before its first line" unless File.executable?(launcher)

    [%w[run -- true], %w[run --only dir -- true], %w[--version], %w[walk --help], %w[doctor --help]].each do |argv|
      mkdir("gone")
      result = run_command(RUBY, "-e", code, path("gone"), launcher, *argv, env: NO_ENV)
      assert_equal [0, ""], [result.exitstatus, result.err], argv.inspect
    end
  end

  def test_a_program_requires_frugal_that_is_not_in_its_gemfile
    write("Gemfile", 'gem "rake"')
    write("Rakefile", %(require "frugal/rake"\ntask(:default) { print Frugal::Dropin.status.first.state, " ", $LOADED_FEATURES.grep(/frugal.rb/)[0] }\n))
    { {} => "on", { "FRUGAL" => "0" } => "off" }.each do |env, state|
      [%w[bundle exec rake], %w[rake]].each do |command|
        result = frugal("run", "--", *command, env: env, chdir: tree)
        assert_equal ["#{state} #{ROOT}/lib/frugal.rb", ""], [result.out, result.err], command.inspect
      end
    end
    refute frugal("run", "--", RUBY, "-e", 'require "frugal/nothing"').success?
    unchanged = frugal("run", "--", RUBY, "-e", "begin; require 'no_such_frugal'; rescue LoadError; print $LOAD_PATH.include?(#{Subprocess::LIB.dump}); end")
    assert_equal ROOT.match?(/\s/).inspect, unchanged.out, unchanged # by RUBYLIB, where the path has white space
  end

  private

  # PATH with what the launcher calls, without Ruby.
  def without_ruby
    @without_ruby ||= mkdir("without ruby").tap do |folder|
      %w[cat readlink].each { |name| File.symlink(%w[/bin /usr/bin].map { |bin| "#{bin}/#{name}" }.find { |file| File.exist?(file) }, "#{folder}/#{name}") }
    end
    { "PATH" => @without_ruby, "FRUGAL_ENGINE" => "pure", "FRUGAL_RUBY" => nil }
  end

  def uncompiled_checkout
    FileUtils.cp_r("#{ROOT}/lib", mkdir("checkout"))
    FileUtils.rm_rf(Dir.glob(path("checkout/lib/frugal/native/{ruby-*,ready.so}")))
    write("checkout/bin/setup", "")
    path("checkout/lib")
  end

  def load_from(lib, *options, env: {})
    result = run_command(RUBY, "-I", lib, *options, "-e", "require 'frugal/rake'; print Frugal::Native.engine_name", env: NO_ENV.merge(env))
    [result.out, result.err]
  end
end

# frozen_string_literal: true

require_relative "../test_helper"
require "json"

class DoctorTest < Frugal::TestCase
  def doctor(*argv, env: {})
    run_command("#{ROOT}/bin/frugal", "doctor", *argv, env: { "RUBYOPT" => nil, "FRUGAL_ENGINE" => nil, **env })
  end

  def diagnosis(**options)
    JSON.parse(doctor("--json", **options).out, symbolize_names: true)
  end

  def test_the_verdict_first_the_next_step_last
    result = doctor
    assert result.success?, result
    assert_match(/\AAll drop-ins work here: rake, dir, find, pstore, fileutils[a-z_, ]*\.\n/, result.out)
    assert_equal "next: frugal compare -- rake\n", result.out.lines.last
    assert_match(/^  rake +on, version \d+\.\d+/, result.out)
    assert_match(%r{^  rails +waiting, by gem "frugal", require: "frugal/rails" in a Gemfile; .*FRUGAL_VERBOSE=1}, result.out)
    refute_includes result.out, "\e"
  end

  def test_json
    assert_equal %i[verdict healthy engine ruby frugal drop_ins launcher strace next], diagnosis.keys
    found = diagnosis[:drop_ins].map { |one| one.except(:version) }
    assert_equal %w[rake dir find pstore fileutils].map { |name| { name: name, state: "on", reason: nil } }, found.first(5)
    assert_equal %w[active_support sprockets rails sinatra], found.drop(5).map { |one| one[:name] }
    assert_empty found.drop(5).map { |one| one[:state] } - %w[on waiting]
    assert_equal RUBY_DESCRIPTION, diagnosis[:ruby]
    milliseconds = diagnosis[:launcher][:milliseconds] # nil in too much noise
    assert_operator milliseconds, :>, 0 if milliseconds
  end

  def test_the_engine_and_why
    assert_equal({ name: "c", why: "compiled for #{Frugal::Native::ABI}" }, diagnosis[:engine])
    assert_equal({ name: "pure", why: "FRUGAL_ENGINE=pure" }, diagnosis(env: { "FRUGAL_ENGINE" => "pure" })[:engine])
  end

  def test_a_drop_in_that_is_off
    result = doctor(env: { "FRUGAL_RAKE" => "0" })
    assert_equal 1, result.exitstatus
    assert_equal "Not all drop-ins work here: rake is not on.\n", result.out.lines.first
    assert_match(/^  rake +off, version \S+, FRUGAL_RAKE=0$/, result.out)
    assert_equal "next: unset what turns rake off: FRUGAL_RAKE=0\n", result.out.lines.last
  end

  def test_a_drop_in_that_stands_aside
    FileUtils.cp_r(Gem::Specification.find_by_name("rake").full_require_paths.first, path("lib"))
    write("rake.gemspec", "")
    write("lib/rake/version.rb", %(module Rake\n  VERSION = "99.0.0"\nend\n))
    result = doctor(env: { "RUBYLIB" => path("lib") })
    assert_equal 1, result.exitstatus
    assert_match(/^  rake +stands aside, version 99\.0\.0, .*99\.0\.0/, result.out)
  end

  def test_a_library_that_is_not_installed
    write("rake.rb", %(raise LoadError, "cannot load such file -- rake\\nDid you mean?  rack"))
    result = doctor(env: { "RUBYLIB" => tree })
    assert_equal 1, result.exitstatus
    assert_match(/^  rake +waiting, its library is not installed \(cannot load such file -- rake\)$/, result.out)
    rows = result.out.lines.grep(/^  /)
    assert_equal 1, rows.map { |row| row.index(/(?<=  )\S/, 3) }.uniq.size, "one column: #{result.out}"
    assert_equal "next: gem install rake\n", result.out.lines.last
  end

  # Few machines need these: without them all is well.
  def test_an_optional_library_that_is_not_installed
    %w[active_support.rb sprockets.rb].each { |name| write(name, %(raise LoadError, "cannot load such file")) }
    result = doctor(env: { "RUBYLIB" => tree })
    assert result.success?, result
    assert_match(/\AAll drop-ins work here: rake, dir, find, pstore, fileutils\.\n/, result.out)
    assert_match(/^  sprockets +waiting, its library is not installed/, result.out)
    assert_equal "next: frugal compare -- rake\n", result.out.lines.last
  end

  def test_system_calls_of_the_launcher
    skip "system calls are counted with strace, which is not here" unless Cost::Strace.available?

    assert_includes 40..150, diagnosis[:launcher][:system_calls]
    without = diagnosis(env: { "PATH" => ruby_only })
    assert_nil without[:strace]
    assert_nil without[:launcher][:system_calls]
  end

  def test_wrong_usage
    assert_equal 2, doctor("--xml").exitstatus
    assert_equal "frugal: doctor: invalid option: --jsn. Did you mean --json?\nfrugal: next: frugal doctor --help\n", doctor("--jsn").err
    assert_equal "frugal: doctor: rake is too much: it takes no names\nfrugal: next: frugal doctor --help\n", doctor("rake").err
  end

  private

  # A folder of commands in which there is no strace.
  def ruby_only
    mkdir("bin")
    symlink(RUBY, "bin/ruby")
    path("bin")
  end
end

# frozen_string_literal: true

require_relative "../test_helper"
require "json"
require_relative "../support/rails_runs"

class DoctorTest < Frugal::TestCase
  def doctor(*argv, env: {}, **options)
    run_command("#{ROOT}/bin/frugal", "doctor", *argv, env: { "RUBYOPT" => nil, "FRUGAL_ENGINE" => nil, **env }, **options)
  end

  def diagnosis(**options)
    JSON.parse(doctor("--json", **options).out, symbolize_names: true)
  end

  def test_the_verdict_is_the_first_line_and_the_next_step_the_last
    result = doctor
    assert result.success?, result
    # Here and in the rows, what waits is not said to work.
    verdict = /\AThese drop-ins work here: (rake, dir, find, pstore, fileutils[a-z_, ]*)\. These wait for their library: ([a-z_, ]+)\.\n/
    assert_match verdict, result.out
    waiting = result.out.scan(/^  (\w+) +waiting/).flatten
    assert_equal [waiting, []], [result.out[verdict, 2].split(", "), result.out[verdict, 1].split(", ") & waiting]
    assert_includes waiting, "rails"
    assert_equal "next: frugal compare -- rake\n", result.out.lines.last
    assert_match(/^  rake +on, version \d+\.\d+/, result.out)
    hint = %r{for an application with gem "frugal", require: "frugal/rails" in its Gemfile; .*FRUGAL_VERBOSE=1}
    assert_match(/^  rails +waiting, #{hint}/, result.out)
    refute_includes result.out, "\e"
  end

  def test_json
    found = diagnosis
    assert_equal %i[verdict healthy engine ruby frugal drop_ins application run launcher bytecode recorder strace next], found.keys
    drop_ins = found[:drop_ins].map { |one| one.except(:version) }
    assert_equal %w[rake dir find pstore fileutils].map { |name| { name: name, state: "on", reason: nil } }, drop_ins.first(5)
    assert_equal %w[active_support file_update_checker sprockets rails sinatra], drop_ins.drop(5).map { |one| one[:name] }
    assert_empty drop_ins.drop(5).map { |one| one[:state] } - %w[on waiting]
    assert_equal RUBY_DESCRIPTION, found[:ruby]
    assert_equal %i[system_calls why], found[:launcher].keys, "nothing that differs from run to run"
  end

  def test_the_engine_and_the_reason_for_it
    assert_equal({ name: "c", why: "compiled for #{Frugal::Platform::ABI}" }, diagnosis[:engine])
    assert_equal({ name: "pure", why: "FRUGAL_ENGINE=pure" }, diagnosis(env: { "FRUGAL_ENGINE" => "pure" })[:engine])
  end

  def test_a_drop_in_that_is_off
    result = doctor(env: { "FRUGAL_RAKE" => "0" })
    assert_equal 1, result.exitstatus
    assert_equal "Not all drop-ins work here: rake is not on.\n", result.out.lines.first
    assert_match(/^  rake +off, version \S+, FRUGAL_RAKE=0$/, result.out)
    assert_equal "next: unset the variable that turns rake off: FRUGAL_RAKE=0\n", result.out.lines.last
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

  # The verdict does not depend on optional libraries.
  def test_an_optional_library_that_is_not_installed
    %w[active_support.rb sprockets.rb].each { |name| write(name, %(raise LoadError, "cannot load such file")) }
    result = doctor(env: { "RUBYLIB" => tree })
    assert result.success?, result
    assert_match(/\AThese drop-ins work here: rake, dir, find, pstore, fileutils\. These wait for their library: .*sprockets/, result.out)
    assert_match(/^  sprockets +waiting, its library is not installed/, result.out)
    assert_equal "next: frugal compare -- rake\n", result.out.lines.last
  end

  def test_system_calls_of_the_launcher
    skip "strace is not available" unless Cost::Strace.available?

    calls = diagnosis[:launcher][:system_calls]
    assert_includes 20..150, calls
    result = doctor
    assert_match(/^  run costs +#{calls} system calls before the command begins$/, result.out, "the same in every run")
    refute_match(/ ms\b/, result.out)
    without = diagnosis(env: { "PATH" => ruby_only })
    assert_nil without[:strace]
    assert_equal({ system_calls: nil, why: "not counted: strace is not installed" }, without[:launcher])
  end

  def test_kept_bytecode
    kept = lambda do |boot, **more|
      code = 'require "frugal/doctor"; print JSON.generate(Frugal::Doctor::KeptCode.new.to_h)'
      JSON.parse(run_command(RUBY, "-I", LIB, "-rjson", "-e", code, env: { "FRUGAL_BOOT" => boot, **more }).out, symbolize_names: true)
    end
    assert_equal({ folder: nil, files: nil, bytes: nil, why: "FRUGAL_BOOT=0" }, kept.call("0"))
    assert_equal "FRUGAL=off", kept.call(path("boot"), "FRUGAL" => "off")[:why]
    assert_match(/\Aneither XDG_CACHE_HOME nor HOME is a path/, kept.call(nil, "HOME" => nil, "XDG_CACHE_HOME" => nil)[:why])
    assert_equal({ folder: "#{tree}/cache/frugal/boot", files: 0, bytes: 0, why: nil }, kept.call(nil, "XDG_CACHE_HOME" => path("cache")))
    { "ab/1" => 3000, "cd/2" => 3000, "cd/note" => 0 }.each { |name, size| write("boot/#{name}", "x" * size) }
    write("boot/stray")
    assert_equal({ folder: path("boot"), files: 2, bytes: 6000, why: nil }, kept.call(path("boot")))
    assert_match(/Not a directory.*#{tree}/, kept.call(write("file"))[:why])
    assert_match(%r{^  bytecode +of 2 files, 5 KiB, in #{tree}/boot$}, doctor(env: { "FRUGAL_BOOT" => path("boot") }).out)
  end

  # JSON is UTF-8, and paths need not be.
  def test_json_with_a_folder_whose_name_is_not_utf8
    assert_equal "/nowhere/\uFFFD", diagnosis(env: { "FRUGAL_BOOT" => "/nowhere/\xFF" })[:bytecode][:folder]
  end

  # Only the booted application shows what its Gemfile and its settings turn on.
  def test_a_rails_application
    rails_application
    result = doctor(chdir: tree)
    assert result.success?, result
    assert_equal "On in this Rails application: file_update_checker, rails.\n", result.out.lines.first
    assert_match(/^  application +#{Regexp.escape(File.realpath(tree))}, Rails \d\S+, development$/, result.out)
    assert_match(/^  rails +on, version \d/, result.out)
    assert_match(/^  rake +off, .*nothing enabled it$/, result.out)
    assert_equal "next: FRUGAL_VERBOSE=1 prints the state of each drop-in when a server starts\n", result.out.lines.last
    off = diagnosis(chdir: tree, env: { "FRUGAL_RAILS" => "0", "FRUGAL_FILE_UPDATE_CHECKER" => "0" })
    assert_equal ["No drop-in is on in this Rails application.", "unset the variable that turns rails off: FRUGAL_RAILS=0"], off.values_at(:verdict, :next)
    assert_equal "FRUGAL_RAILS=0", off[:application][:drop_ins].find { |one| one[:name] == "rails" }[:reason]
  end

  # With README's line in the Gemfile and the environments that `rails new` writes. In development and in tests, the
  # drop-in for errors stands aside, since developers see them: nothing is missing, and no test would show a gain. In
  # development, that for file checkers is on.
  def test_each_environment_of_a_rails_application
    rails_application
    { development: [true, false], test: [true, true], production: [false, true] }.each do |environment, (errors_shown, cached)|
      write("config/environments/#{environment}.rb", "Rails.application.configure { config.consider_all_requests_local = #{errors_shown}; " \
                                                     "config.cache_classes = #{cached} }")
      found = diagnosis(chdir: tree, env: { "RAILS_ENV" => environment.to_s, "SECRET_KEY_BASE" => "x" * 64 })
      assert_equal [environment.to_s, errors_shown], found[:application].values_at(:environment, :errors_shown), found
      assert_equal [true, errors_shown ? "aside" : "on"], [found[:healthy], found[:application][:drop_ins].find { |one| one[:name] == "rails" }[:state]]
      refute_match(/bundle add|compare|rails test/, found[:next])
      next assert_equal("On in this Rails application: file_update_checker.", found[:verdict]) unless cached
      next unless errors_shown

      assert_equal ["The drop-in rails is installed. It stands aside in #{environment}, where developers see the errors.",
                    "frugal doctor on a server: where users see the errors, the drop-in is on"], found.values_at(:verdict, :next)
    end
  end

  def test_a_rails_application_that_requires_frugal_but_not_its_drop_in
    rails_application(frugal: "require 'frugal'")
    result = doctor(chdir: tree)
    assert_equal [1, "next: in the Gemfile, gem \"frugal\", require: \"frugal/rails\"\n"], [result.exitstatus, result.out.lines.last], result
  end

  # Such a process inherits all open files: the doctor must not wait for it.
  def test_a_rails_application_that_leaves_a_process_running
    rails_application(frugal: "require 'frugal/rails'; File.write('pid', fork { sleep 600 })")
    result = doctor(chdir: tree, timeout: 20) # shorter than the sleep
    assert result.success?, result
    assert_equal "On in this Rails application: file_update_checker, rails.\n", result.out.lines.first
  ensure
    Process.kill(:KILL, Integer(File.read(path("pid")))) if File.exist?(path("pid"))
  end

  def test_a_rails_application_without_frugal
    rails_application(frugal: "")
    result = doctor(chdir: tree)
    assert_equal 1, result.exitstatus
    assert_match(%r{^  Gemfile +does not have gem "frugal", require: "frugal/rails"$}, result.out)
    assert_equal "next: bundle add frugal --require frugal/rails\n", result.out.lines.last
  end

  def test_a_rails_application_that_does_not_boot
    write("config/application.rb", "puts 'nearly'; raise KeyError, 'no SECRET'")
    write("config/environment.rb", "require_relative 'application'")
    result = doctor(chdir: tree)
    assert_equal 1, result.exitstatus
    assert_equal "The Rails application does not boot, so its drop-ins cannot be checked.\n", result.out.lines.first
    assert_match(/^  error +\S+application\.rb:1:in .*: no SECRET \(KeyError\)$/, result.out)
    assert_equal "next: bin/rails runner 1\n", result.out.lines.last
  end

  def test_wrong_usage
    assert_equal 2, doctor("--xml").exitstatus
    assert_equal "frugal: doctor: invalid option: --jsn. Did you mean --json?\nfrugal: next: frugal doctor --help\n",
                 doctor("--jsn").err

    assert_equal "frugal: doctor: unexpected argument: rake\nfrugal: next: frugal doctor --help\n", doctor("rake").err
  end

  private

  def rails_application(frugal: "require 'frugal/rails'")
    skip "bin/setup --webs" if RailsRuns.versions.empty?
    gems = RailsRuns::GEMS.to_h { |gem| [gem, RailsRuns.versions.last] }
    paths = WebGems.options(gems).grep(/\A-I/).map { |option| option.delete_prefix("-I") }
    write("config/environment.rb", "require_relative 'application'; Rails.application.initialize!")
    write("config/application.rb", <<~RUBY)
      $LOAD_PATH.unshift(*#{[*paths, Subprocess::LIB].inspect})
      require "logger"
      require "rails"
      require "action_controller/railtie"
      #{frugal}
      class Shop < Rails::Application
        config.root = File.expand_path("..", __dir__)
        config.eager_load = false
        config.logger = Logger.new(nil)
      end
    RUBY
  end

  # A folder for PATH that contains only Ruby, and thus no strace.
  def ruby_only
    mkdir("bin")
    symlink(RUBY, "bin/ruby")
    path("bin")
  end
end

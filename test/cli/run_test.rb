# frozen_string_literal: true

require_relative "../test_helper"
require "frugal/compare"
require "pty"
require_relative "../support/installed_gem"
require_relative "../../bench/support/system_calls"

module RunTests
  # `frugal run` on real processes.
  class Base < Frugal::TestCase
    LAUNCHER = "#{ROOT}/bin/frugal" # the compiled one, where bin/setup has compiled it
    SCRIPT = "#{ROOT}/libexec/frugal-run"
    SHOW_STATE = %(print Frugal::Dropin.status.select { |one| one.name == :rake }.map { |one| [one.name, one.state].join(":") }.join(" "))
    NO_ENV = { "RUBYOPT" => nil, "RUBYLIB" => nil, "FRUGAL_ONLY" => nil, "FRUGAL_EXCEPT" => nil }.freeze

    def launcher = LAUNCHER

    def frugal(*argv, launcher: self.launcher, env: {}, **options)
      run_command(launcher, *argv, env: NO_ENV.merge(env), **options)
    end

    def ruby(*argv, **options) = frugal("run", "--", RUBY, *argv, **options)

    # Copies the files of a checkout and the compiled library.
    def copy_checkout(to)
      FileUtils.mkdir_p(to)
      %w[lib libexec exe].each { |part| FileUtils.cp_r("#{ROOT}/#{part}", to) }
      FileUtils.mkdir_p("#{to}/bin")
      File.symlink("../libexec/frugal-run", "#{to}/bin/frugal")
      to
    end
  end

  # The command runs as it would without frugal.
  class PassThroughTest < Base
    def test_the_exit_status_is_the_commands
      assert_equal 3, ruby("-e", "exit 3").exitstatus
    end

    def test_a_signal_ends_launcher_and_command_alike
      result = ruby("-e", "Process.kill(:KILL, $$); sleep")
      assert_equal Signal.list["KILL"], result.status.termsig
    end

    def test_the_launcher_becomes_the_command
      pid = spawn(NO_ENV, launcher, "run", "--", RUBY, "-e", "File.write(ARGV[0], $$)", path("pid"))
      Process.wait(pid)
      assert_equal pid.to_s, File.read(path("pid"))
    end

    def test_ctrl_c_reaches_the_command_once
      read, write = IO.pipe
      pid = spawn(NO_ENV, launcher, "run", "--", RUBY, "-e", <<~'RUBY', out: write, pgroup: true)
        trap(:INT) { puts "interrupted"; exit 7 }
        puts "ready"; $stdout.flush
        sleep
      RUBY
      write.close
      assert_equal "ready\n", read.gets
      Process.kill(:INT, -pid)
      assert_equal "interrupted\n", read.read
      assert_equal 7, Process.wait2(pid).last.exitstatus
    end

    def test_an_ignored_signal_stays_ignored
      result = run_command("sh", "-c", %(trap "" TERM; exec "$@"), "sh", launcher, "run", "--",
                           RUBY, "-e", "Process.kill(:TERM, $$); print :alive", env: NO_ENV)
      assert_equal "alive", result.out, result
    end

    def test_standard_input_arrives
      assert_equal "one\ntwo\n", ruby("-e", "print $stdin.read", stdin: "one\ntwo\n").out
    end

    def test_a_terminal_stays_a_terminal
      script = "print [$stdin, $stdout, $stderr].map(&:tty?).inspect"
      out, _, pid = PTY.spawn(NO_ENV, launcher, "run", "--", RUBY, "-e", script)
      assert_equal "[true, true, true]", out.readpartial(100)
      Process.wait(pid)
    end

    def test_arguments_arrive_as_they_are
      odd = ["a b", "", "*", "--", "-x", "--only", "ü\n", "$HOME", "'"]
      assert_equal odd.inspect, ruby("-e", "p ARGV", *odd).out.chomp
    end

    def test_a_command_found_in_path_keeps_its_name
      assert_equal "sh", frugal("run", "sh", "-c", "printf %s $0").out
    end

    def test_the_folder_stays
      assert_equal tree, ruby("-e", "print Dir.pwd", chdir: tree).out
    end

    def test_silence_unless_asked
      result = ruby("-w", "-e", 'require "rake"')
      assert_equal ["", ""], [result.out, result.err]
    end
  end

  # The same by the shell script.
  class PassThroughByScriptTest < PassThroughTest
    def launcher = SCRIPT
  end

  # A command that cannot be started is reported by frugal, with the next step.
  class RefusalTest < Base
    def refused(status, text, *argv, **options)
      result = frugal("run", *argv, **options)
      assert_equal status, result.exitstatus, result
      assert_includes result.err, text
      assert result.err.lines.all? { |line| line.start_with?("frugal: ") }, result
    end

    def test_command_not_found
      refused(127, "no-such-command: command not found", "--", "no-such-command")
    end

    def test_file_not_found
      refused(127, "/no/such/file: no such file", "--", "/no/such/file")
    end

    def test_an_empty_name
      refused(127, "command not found", "--", "")
    end

    def test_a_builtin_of_the_shell_is_no_command
      refused(127, "shift: command not found", "--", "shift")
    end

    def test_file_not_executable
      refused(126, "chmod +x", "--", write("script.rb"))
    end

    def test_command_in_path_not_executable
      write("bin/half-installed")
      refused(126, "half-installed: not executable", "half-installed", env: { "PATH" => "#{ENV["PATH"]}:#{path("bin")}" })
    end

    def test_a_folder_is_126
      assert_equal 126, frugal("run", tree).exitstatus
    end

    def test_a_missing_interpreter_is_127
      File.chmod(0o755, write("script", "#!/no/such/interpreter\n"))
      result = frugal("run", path("script"))
      assert_equal 127, result.exitstatus
      assert_includes result.err, "frugal: #{path("script")}: cannot be started"
    end

    def test_no_command
      refused(2, "frugal run --help")
      refused(2, "no command given", "--only", "rake")
    end

    def test_wrong_options
      refused(2, "unknown option: --onyl", "--onyl", "rake", "--", "true")
      refused(2, "unknown drop-in: rak", "--only", "rake,rak", "--", "true")
      refused(2, "--except needs the names", "--except")
    end
  end

  # The same by the shell script.
  class RefusalByScriptTest < RefusalTest
    def launcher = SCRIPT
  end

  # RUBYOPT and RUBYLIB: those of the user and those of frugal.
  class EnvironmentTest < Base
    def test_the_users_options_are_kept
      env = { "RUBYOPT" => "-W0 -rshellwords", "RUBYLIB" => path("lib") }
      result = ruby("-e", <<~'RUBY', env: env)
        warn "not shown"
        print [$VERBOSE, $LOADED_FEATURES.any? { |file| file.end_with?("/shellwords.rb") }, $LOAD_PATH.include?(ARGV[0])].inspect
      RUBY
      assert_equal ["[nil, true, false]", ""], [result.out, result.err]
      assert_equal "true", ruby("-e", "print $LOAD_PATH.include?(ARGV[0])", path("lib"), env: env).out
    end

    def test_a_nested_run_adds_nothing_twice
      script = %(puts ENV["RUBYOPT"])
      once = frugal("run", RUBY, "-e", script).out
      twice = frugal("run", launcher, "run", RUBY, "-e", script).out
      assert_equal once, twice
    end

    def test_child_processes_are_accelerated
      inner = %(require "rake"; #{SHOW_STATE})
      result = ruby("-rrbconfig", "-e", "print `\#{RbConfig.ruby} -e '\#{ARGV[0]}'`", inner)
      assert_equal "rake:on", result.out, result
    end

    def test_only_and_except
      script = %(require "rake"; #{SHOW_STATE})
      { %w[--only rake] => "on", %w[--only=rake] => "on", %w[--except rake] => "off",
        %w[--only rake --except=rake] => "off" }.each do |options, state|
        assert_equal "rake:#{state}", frugal("run", *options, "--", RUBY, "-e", script).out, options.inspect
      end
    end

    def test_switches
      script = %(require "rake"; print defined?(Frugal::Dropin) ? Frugal::Dropin.status.first.state : "nothing")
      %w[0 off No false].each { |off| assert_equal "nothing", ruby("-e", script, env: { "FRUGAL" => off }).out }
      ["1", "", "00"].each { |on| assert_equal "on", ruby("-e", script, env: { "FRUGAL" => on }).out }
      assert_equal "off", ruby("-e", script, env: { "FRUGAL_RAKE" => "0" }).out
    end

    def test_verbose_reports_what_is_on
      result = ruby("-e", 'require "rake"', env: { "FRUGAL_VERBOSE" => "1" })
      assert_match(/^frugal: rake \d+\.\d+\.\d+: on \((c|pure)\)\n\z/, result.err)
    end

    def test_verbose_reports_that_everything_is_off
      result = ruby("-e", 'require "rake"', env: { "FRUGAL_VERBOSE" => "1", "FRUGAL" => "0" })
      assert_equal "frugal: all drop-ins: off: FRUGAL=0\n", result.err
    end

    def test_the_launcher_knows_all_drop_ins
      names = File.read("#{ROOT}/libexec/frugal-run")[/^dropins=(?:"(.*)"|(\S+))/] && ($1 || $2)
      assert_equal Frugal::Dropin::CATALOGUE.keys, names.split.map(&:to_sym)
    end

    # Where the bytecode of programs is kept: options, environment => FRUGAL_BOOT of the command.
    def test_the_folder_for_bytecode
      none = { "FRUGAL_BOOT" => nil, "XDG_CACHE_HOME" => nil, "HOME" => "/h" }
      ours = "/h/.cache/frugal/boot"
      set, off = { "FRUGAL_BOOT" => "/z" }, { "FRUGAL_BOOT" => "0" }
      [[[], {}, ours], [[], { "FRUGAL_BOOT" => "" }, ours], [[], off, "0"], [[], set, "/z"], [[], { "HOME" => nil }, ""],
       [[], { "XDG_CACHE_HOME" => "/c" }, "/c/frugal/boot"], [[], { "XDG_CACHE_HOME" => "c" }, ""],
       [%w[--no-boot], set, "0"], [%w[--boot], off, ours], [%w[--only rake], {}, "0"], [%w[--only rake], set, "/z"],
       [%w[--only=rake --boot], {}, ours], [%w[--no-boot --only rake], {}, "0"]].each do |options, env, folder|
        result = frugal("run", *options, "--", "/bin/sh", "-c", 'printf %s "$FRUGAL_BOOT"', env: none.merge(env))
        assert_equal [folder, ""], [result.out, result.err], [options, env].inspect
      end
    end
  end

  # The same by the shell script.
  class EnvironmentByScriptTest < EnvironmentTest
    def launcher = SCRIPT
  end

  # The launcher works from any folder and under any name.
  class PlaceTest < Base
    SCRIPT = %(require "rake"; #{SHOW_STATE})

    def test_from_any_folder_by_any_name
      mkdir("bin")
      symlink(LAUNCHER, "bin/frugal")
      symlink("frugal", "bin/chain")
      [["bin/frugal", ROOT], ["./frugal", "#{ROOT}/bin"], ["../bin/frugal", "#{ROOT}/lib"],
       [path("bin/frugal"), "/"], ["./chain", path("bin")], ["#{ROOT}/lib/../bin/frugal", "/"]].each do |name, folder|
        result = frugal("run", RUBY, "-e", SCRIPT, launcher: name, chdir: folder)
        assert_equal "rake:on", result.out, "#{name} in #{folder}: #{result}"
      end
    end

    def test_found_in_path
      result = frugal("run", RUBY, "-e", SCRIPT, launcher: "frugal", env: { "PATH" => "#{ROOT}/bin:#{ENV["PATH"]}" })
      assert_equal "rake:on", result.out, result
    end

    def test_a_checkout_whose_path_has_spaces
      root = copy_checkout(path("a  b\tc/it's"))
      tmp = mkdir("tmp dir")
      inner = %(require "rake"; #{SHOW_STATE})
      result = frugal("run", RUBY, "-rrbconfig", "-e", "print `\#{RbConfig.ruby} -e '\#{ARGV[0]}'`", inner,
                      launcher: "#{root}/bin/frugal", env: { "TMPDIR" => tmp, "RUBYLIB" => path("lib") })
      assert_equal "rake:on", result.out, result
    end

    def test_an_installed_gem_whose_path_has_spaces
      home = InstalledGem.home(self)
      env = { "GEM_HOME" => home, "GEM_PATH" => "#{home}:#{Gem.path.join(":")}" }
      script = %(require "rake"; #{SHOW_STATE}; print " ", Frugal::Native.engine_name, " ", Frugal::Native.method(:engine_name).source_location[0].start_with?(ARGV[0]))
      result = frugal("run", RUBY, "-e", script, home, launcher: "#{home}/bin/frugal", env: env)
      assert_equal "rake:on c true", result.out, result
      assert_equal 3, frugal("run", RUBY, "-e", "exit 3", launcher: "#{home}/bin/frugal", env: env).exitstatus
      assert_equal 127, frugal("run", "no-such-command", launcher: "#{home}/bin/frugal", env: env).exitstatus
    end

    def test_bundle_exec_without_frugal_in_the_gemfile
      write("Gemfile", %(gem "rake"\n))
      write("Rakefile", %(task(:default) { #{SHOW_STATE} }\n))
      env = { "BUNDLE_GEMFILE" => path("Gemfile"), "BUNDLE_PATH" => nil }
      result = frugal("run", "bundle", "exec", "rake", chdir: tree, env: env)
      assert_equal "rake:on", result.out, result
      binstub = run_command("bundle", "binstubs", "rake", chdir: tree, env: NO_ENV.merge(env))
      assert binstub.success?, binstub
      assert_equal "rake:on", frugal("run", "bin/rake", chdir: tree, env: env).out
    end
  end

  # A checkout compiles the library; FRUGAL_ENGINE=pure does not need it.
  class SetupTest < Base
    def setup
      @root = copy_checkout(path("checkout"))
      FileUtils.rm_rf(Dir.glob("#{@root}/lib/frugal/native/{*/frugal.so,ready.so}"))
    end

    def bin_setup(script)
      write("checkout/bin/setup", "#!/bin/sh\n#{script}\n").then { |file| File.chmod(0o755, file) }
    end

    def test_a_missing_library_is_compiled_once
      bin_setup("cd \"${0%/*}/..\"; echo called >>calls; mkdir -p lib/frugal/native/abi; : >lib/frugal/native/abi/frugal.so")
      2.times { assert_equal "1", frugal("run", RUBY, "-e", "print 1", launcher: "#{@root}/bin/frugal").out }
      assert_equal "called\n", File.read(path("checkout/calls"))
    end

    def test_the_pure_engine_needs_none
      bin_setup("exit 1")
      result = frugal("run", RUBY, "-e", "print 1", launcher: "#{@root}/bin/frugal", env: { "FRUGAL_ENGINE" => "pure" })
      assert_equal "1", result.out, result
    end

    def test_a_setup_that_fails_is_reported
      bin_setup("exit 1")
      result = frugal("run", RUBY, "-e", "print 1", launcher: "#{@root}/bin/frugal")
      assert_equal 70, result.exitstatus
      assert_match(%r{\Afrugal: bin/setup failed; .*FRUGAL_ENGINE=pure.*\n\z}, result.err)
    end

    def test_a_library_of_another_abi_is_ignored
      mkdir("checkout/lib/frugal/native/ruby-9.9-vax")
      write("checkout/lib/frugal/native/ruby-9.9-vax/frugal.so", "no library")
      script = %(require "rake"; #{SHOW_STATE}; print " ", Frugal::Native.engine_name)
      result = frugal("run", RUBY, "-w", "-e", script, launcher: "#{@root}/bin/frugal")
      assert_equal ["rake:on pure", ""], [result.out, result.err], result
    end

    def test_a_broken_library_is_ignored
      write("checkout/lib/frugal/native/#{Frugal::Platform::ABI}/frugal.so", "no library")
      script = %(require "rake"; #{SHOW_STATE}; print " ", Frugal::Native.engine_name)
      result = frugal("run", RUBY, "-w", "-e", script, launcher: "#{@root}/bin/frugal")
      assert_equal ["rake:on pure", ""], [result.out, result.err], result
    end
  end

  # Counts the system calls of a launch. Addresses are fixed, since the number of brk(2)
  # calls depends on the address of the heap.
  class CostTest < Base
    RAKE = Gem.bin_path("rake", "rake")
    # Program => the number of system calls that frugal may add, after those that it saves. The compiled launcher makes
    # 3 of them, /bin/sh 54 on Debian; Ruby 16 for a file of -r, and two for each folder above it; exec one for each folder
    # in PATH before that of the command, so the command has an absolute name. The bytecode needs five for each section,
    # and one for the mtime of each file of frugal. Nothing is installed for fileutils, pstore and one task of Rake.
    CASES = {
      "nothing" => [%w[-e 1], 42],
      "fileutils" => [%w[-rfileutils -e 1], 62],
      "find" => [["-rfind", "-e", 'Find.find("tree") { |path| path }'], 120],
      "one glob" => [["-e", 'Dir.glob("tree/**/*.rb")'], 120],
      "pstore" => [%w[-rpstore -e 1], 62],
      "one task of rake" => [[RAKE, "-q", "a"], 80]
    }.freeze
    OF_SHELL = 60

    CASES.each do |name, (command, most)|
      define_method("test_#{name.tr(" ", "_")}") do
        write("Rakefile", "task(:a) {}\n")
        write("tree/a/b/c.rb")
        folders = 3 * (ROOT.count("/") - 2)
        # Ruby splits RUBYOPT at white space; in RUBYLIB it looks for each file, of which Rake has many.
        searches = command.first == RAKE ? 90 : 45
        by_rubylib = ROOT.match?(/\s/) ? searches : 0
        by_script = File.symlink?(LAUNCHER) || ROOT.match?(/\s/) ? OF_SHELL : 0
        limit = most + folders + by_rubylib + by_script
        assert_operator added_calls(*command, limit: limit), :<=, limit
      end
    end

    def test_a_launch_opens_two_files_of_frugal
      frugal = run_command("strace", "-f", "-e", "trace=openat", "-o", path("trace"), LAUNCHER, "run", "--", RUBY, "-e", "1", env: NO_ENV)
      assert frugal.success?, frugal
      opened = File.read(path("trace")).scan(%r{"#{Regexp.escape(ROOT)}/lib/frugal/([^"]+)"}).flatten.uniq
      assert_equal ["autorun.rb", "native/#{Frugal::Platform::ABI}/frugal.iseq"], opened
    end

    private

    # A busy machine only adds calls (a futex that had to wait), so the lowest of three counts is the cost.
    def added_calls(*command, limit:)
      3.times.map do
        added = calls(LAUNCHER, "run", "--", RUBY, *command) - calls(RUBY, *command)
        return added if added <= limit

        added
      end.min
    end

    def calls(*command)
      skip "strace is not installed" unless Cost::Strace.available?

      result = run_command("setarch", "-R", "strace", "-f", "-c", "-o", path("table"), *command, env: NO_ENV, chdir: tree)
      assert result.success?, result
      table = Frugal::Bench::SystemCalls.parse(File.read(path("table")))
      # The garbage collector reads the clock at its steps (at each of them from Ruby 3.3 on), so the number varies. The
      # size of the environment decides whether there is one brk(2) more.
      table.total - %w[clock_gettime brk].sum { |call| table[call].calls }
    end
  end
end

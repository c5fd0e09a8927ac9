# frozen_string_literal: true

require_relative "../test_helper"
require "frugal/dropin/guard"

module DropinTests
  # Processes in which frugal/autorun is loaded, as by `frugal run`.
  class Base < Frugal::TestCase
    AUTORUN = "-r#{LIB}/frugal/autorun.rb"
    STATE = %(Frugal::Dropin.status.find { |one| one.name == :rake }.state)
    RAKE = Gem.loaded_specs["rake"]&.full_require_paths&.first || Gem::Specification.find_by_name("rake").full_require_paths.first

    def autorun(*argv, env: {}, **options)
      run_command(RUBY, AUTORUN, *argv, env: { "RUBYOPT" => nil, "RUBYLIB" => nil }.merge(env), **options)
    end

    # @return [String] what the script, frugal watching, printed
    def output(script, *options, **settings)
      result = autorun("-w", *options, "-e", script, **settings)
      assert result.success?, result
      assert_empty result.err, result
      result.out
    end

    # A rake.rb of the test's own, first on the load path.
    def rake_file(content)
      write("lib/rake.rb", content)
      "-I#{path("lib")}"
    end
  end

  # However upstream is loaded, the next statement finds the drop-in installed.
  class LoadingTest < Base
    def test_require
      assert_equal "on", output(%(require "rake"; print #{STATE}))
      assert_equal "on", output(%(Kernel.require "rake"; print #{STATE}), "-I#{RAKE}")
      assert_equal "on", output(%(require "#{RAKE}/rake.rb"; print #{STATE}))
    end

    def test_require_without_rubygems
      assert_equal "on", output(%(require "rake"; print #{STATE}), "--disable-gems", "-I#{RAKE}")
    end

    def test_require_relative
      script = write("main.rb", %(require_relative "link/rake"; print #{STATE}))
      symlink(RAKE, "link")
      assert_equal "on", autorun("-I#{RAKE}", script).out
    end

    def test_load
      assert_equal "on", output(%(load "#{RAKE}/rake.rb"; print #{STATE}), "-I#{RAKE}")
    end

    def test_autoload
      script = %(autoload :Rake, "rake"; print defined?(Frugal::Dropin.enable).inspect, " "; Rake.name; print #{STATE})
      assert_equal "nil on", output(script)
    end

    def test_an_option
      assert_equal "on", output(%(print #{STATE}), "-rrake")
      assert_equal "on", output(%(print #{STATE}), env: { "RUBYOPT" => "-rrake" })
    end

    def test_a_thread
      assert_equal "on", output(%(Thread.new { require "rake"; print #{STATE} }.join))
    end

    def test_a_library_that_requires_it
      assert_equal "on", output(%(require "rake/clean"; print #{STATE}), "-W0")
    end

    def test_the_executable
      write("Rakefile", "print #{STATE}; task :default")
      assert_equal "on", autorun("-S", "rake", chdir: tree).out
    end

    # What bootsnap does: Ruby evaluates bytecode that another run compiled.
    def test_cached_bytecode
      cache = <<~'RUBY'
        def (RubyVM::InstructionSequence).load_iseq(file)
          RubyVM::InstructionSequence.load_from_binary(RubyVM::InstructionSequence.compile_file(file).to_binary)
        end
      RUBY
      assert_equal "on", output(%(#{cache}; require "rake"; print #{STATE}))
    end

    def test_bootsnap
      bootsnap = Gem::Specification.find_all_by_name("bootsnap").first or skip "gem install bootsnap"
      2.times do
        script = <<~RUBY
          gem "bootsnap", "#{bootsnap.version}"
          require "bootsnap"
          Bootsnap.setup(cache_dir: #{path("cache").dump}, compile_cache_yaml: false)
          require "rake"
          print #{STATE}
        RUBY
        assert_equal "on", autorun("-e", script, env: { "GEM_PATH" => Gem.path.join(":") }).out
      end
    end

    def test_enabled_before_and_after
      [%(require "frugal/rake"; print #{STATE}; require "rake"; print " ", #{STATE}),
       %(require "frugal"; Frugal.enable(:rake); print #{STATE}; require "rake"; print " ", #{STATE})].each do |script|
        assert_equal "waiting on", run_ruby("-e", script).out
      end
      assert_equal "on", run_ruby("-e", %(require "rake"; print Frugal.enable(:rake))).out
    end
  end

  # Nothing shows that frugal is there.
  class DiscretionTest < Base
    def test_nothing_is_loaded_before_upstream_is
      script = %(print defined?(Frugal::Dropin.enable).inspect, defined?(Monitor).inspect)
      assert_equal "nilnil", output(script, "--disable-gems")
    end

    def test_require_is_rubys_own
      script = %(print method(:require).owner, method(:require).source_location.inspect)
      stock = run_command(RUBY, "-e", script, env: { "RUBYOPT" => nil })
      assert_equal stock.out, output(script)
    end

    def test_a_backtrace_holds_no_frame_of_ours
      load_path = rake_file("module Rake; end\nraise 'broken'\n")
      stock, ours = [[], [AUTORUN]].map do |options|
        run_command(RUBY, *options, load_path, "-e", "require 'rake'", env: { "RUBYOPT" => nil })
      end
      assert_includes ours.err, "broken"
      assert_equal stock.err, ours.err
    end

    def test_tracing_ends_when_nothing_is_awaited
      script = <<~'RUBY'
        %i[rake find pstore].each { |name| Frugal.enable(name) }
        %w[rake find pstore].each { |feature| print Frugal::Autorun::Loading.enabled?; require feature }
        print Frugal::Autorun::Loading.enabled?
      RUBY
      assert_equal "truetruetruefalse", run_ruby("-e", script, env: { "RUBYOPT" => nil }).out
    end

    def test_a_file_of_the_same_name
      state = "defined?(Frugal::Dropin.enable) ? #{STATE} : :waiting"
      { "module Greeting\n  def self.hello = :hello\nend\n" => "Greeting.hello", "" => ":hello",
        "Rake = :hello\n" => "Rake", "class Rake\n  HELLO = :hello\nend\n" => "Rake::HELLO",
        "# nothing\n" => ":hello", "module Rake\n  Application = FileList = :hello\nend\n" => "Rake::FileList" }.each do |content, call|
        assert_equal "hello waiting", output(%(require "rake"; print #{call}, " ", #{state}), rake_file(content)), content
      end
    end

    def test_upstream_after_a_file_of_the_same_name
      script = %(require "rake"; load "#{RAKE}/rake.rb"; print #{STATE})
      assert_equal "on", output(script, rake_file("module Greeting; end"), "-I#{RAKE}")
    end

    def test_options_of_ruby_that_run_nothing
      assert_equal "Syntax OK\n", output("print 1", "-c")
      assert_match(/\Aruby \d/, autorun("--version").out)
    end

    def test_irb
      result = autorun("-S", "irb", "-f", "--noprompt", "--nomultiline", stdin: "require 'rake'\nputs #{STATE}\n", env: { "HOME" => tree })
      assert_includes result.out, "\non\n", result
    end

    def test_ractors
      script = %(require "rake"; print Ractor.new { 6 * 7 }.value)
      assert_equal "42", output(script, "-W0", RACTOR_VALUE)
    end

    def test_an_old_ruby_or_another_one_leaves_at_once
      source = File.read("#{LIB}/frugal/autorun.rb")
      [["RUBY_VERSION", "2.7.8"], ["RUBY_ENGINE", "truffleruby"]].each do |constant, value|
        script = "#{constant} = #{value.dump}\n#{source}\nprint defined?(Frugal).inspect"
        assert_equal "nil", run_command(RUBY, "-W0", write("old.rb", script), env: { "RUBYOPT" => nil }).out
      end
    end
  end

  # What a drop-in cannot do, it leaves to upstream, and says so when asked.
  class StandingAsideTest < Base
    VERBOSE = { "FRUGAL_VERBOSE" => "1" }.freeze

    # Rake loads FileUtils, whose drop-in speaks, too.
    def of_rake(said) = said.lines.grep_v(/\Afrugal: fileutils\b/).join

    # A copy, since Rake requires its version relative to itself from 13.3 on.
    def test_an_unknown_version
      FileUtils.cp_r(RAKE, path("lib"))
      write("rake.gemspec", "")
      write("lib/rake/version.rb", %(module Rake\n  VERSION = "99.0.0"\nend\n))
      script = %(require "rake"; print #{STATE})
      assert_equal "aside", output(script, "-I#{path("lib")}")
      result = autorun("-I#{path("lib")}", "-e", script, env: VERBOSE)
      assert_match(/\Afrugal: rake 99\.0\.0: stands aside: .*99\.0\.0.*\n\z/, of_rake(result.err))
    end

    def test_a_failure_of_our_own
      FileUtils.cp_r(LIB, path("broken"))
      write("broken/frugal/dropin/rake.rb", "raise 'oops'")
      [%(print #{STATE}), %(print Rake::VERSION)].zip(["aside", nil]).each do |check, expected|
        result = run_command(RUBY, "-r#{path("broken")}/frugal/autorun.rb", "-e", %(require "rake"; #{check}),
                             env: { "RUBYOPT" => nil, **VERBOSE })
        assert_equal "frugal: rake #{result.out}: stands aside: oops (RuntimeError)\n", of_rake(result.err) unless expected
        assert_equal expected, result.out if expected
      end
    end

    def test_a_missing_part_of_our_own
      FileUtils.cp_r(LIB, path("broken"))
      File.delete(path("broken/frugal/dropin.rb"))
      result = run_command(RUBY, "-w", "-r#{path("broken")}/frugal/autorun.rb", "-e", 'require "rake"; print :fine',
                           env: { "RUBYOPT" => nil })
      assert_equal ["fine", ""], [result.out, result.err]
    end

    def test_the_environment
      { { "FRUGAL_RAKE" => "0" } => "FRUGAL_RAKE=0", { "FRUGAL_EXCEPT" => "a,rake" } => "FRUGAL_EXCEPT=a,rake",
        { "FRUGAL_ONLY" => "find" } => "FRUGAL_ONLY=find" }.each do |env, reason|
        result = autorun("-e", %(require "rake"; print #{STATE}), env: env.merge(VERBOSE))
        assert_equal "off", result.out
        assert_match(/\Afrugal: rake [\d.]+: off: #{reason}\n\z/, of_rake(result.err))
      end
    end

    def test_everything_off_by_enable
      %w[0 OFF no false].each do |off|
        result = run_ruby("-e", %(require "rake"; print Frugal.enable(:rake)), env: { "FRUGAL" => off })
        assert_equal "off", result.out
      end
    end
  end

  # The registry, the switch and the guards by themselves.
  class PartsTest < Frugal::TestCase
    def entry(**options)
      Frugal::Dropin::Entry.new(name: :greeting, feature: "greeting.rb", constant: :FrugalTestGreeting,
                                parts: %w[FrugalTestGreeting::Hello], version: "FrugalTestGreeting::VERSION", **options)
    end

    def teardown
      Object.send(:remove_const, :FrugalTestGreeting) if Object.const_defined?(:FrugalTestGreeting)
    end

    def test_asking_whether_upstream_is_ready_loads_nothing
      file = write("greeting.rb", "raise 'loaded'")
      Object.autoload(:FrugalTestGreeting, file)
      refute entry.ready?
      assert_nil entry.version
    end

    def test_ready_when_all_parts_are_there
      greeting = Object.const_set(:FrugalTestGreeting, Module.new)
      refute entry.ready?
      greeting.const_set(:Hello, 1)
      greeting.const_set(:VERSION, "1.2")
      assert entry.ready?
      assert_equal "1.2", entry.version
    end

    def test_a_drop_in_is_read_when_it_is_wanted
      file = write("greeting.rb", "module Frugal::Dropin::Greeting; def self.guard = 'not today'; end")
      assert_equal "not today", entry(file: file).load.guard
    ensure
      Frugal::Dropin.send(:remove_const, :Greeting)
    end

    def test_an_unknown_name
      error = assert_raises(Frugal::UsageError) { Frugal.enable(:raek) }
      assert_equal "no drop-in is called raek; there is rake, dir, find, pstore, fileutils, active_support, " \
                   "file_update_checker, sprockets, rails, sinatra", error.message
    end

    def test_status_before_anything_is_enabled
      result = run_ruby("-e", "print Frugal::Dropin.status.map(&:to_h)")
      expected = [{ name: :rake, state: :off, reason: "nothing enabled it", version: nil },
                  { name: :dir, state: :off, reason: "nothing enabled it", version: RUBY_VERSION },
                  { name: :find, state: :off, reason: "nothing enabled it", version: nil },
                  { name: :pstore, state: :off, reason: "nothing enabled it", version: nil },
                  { name: :fileutils, state: :off, reason: "nothing enabled it", version: nil },
                  { name: :active_support, state: :off, reason: "nothing enabled it", version: nil },
                  { name: :file_update_checker, state: :off, reason: "nothing enabled it", version: nil },
                  { name: :sprockets, state: :off, reason: "nothing enabled it", version: nil },
                  { name: :rails, state: :off, reason: "nothing enabled it", version: nil },
                  { name: :sinatra, state: :off, reason: "nothing enabled it", version: nil }]
      assert_equal expected.inspect, result.out
    end

    def test_autorun_watches_for_what_the_catalogue_holds
      script = "print Frugal::Autorun::UPSTREAMS.inspect"
      expected = Frugal::Dropin::CATALOGUE.values.select(&:feature).to_h { |one| ["/#{one.feature}", [one.name, one.constant, one.gem.to_sym]] }
      assert_equal expected.inspect, run_command(RUBY, "-r#{LIB}/frugal/autorun.rb", "-e", script, env: { "RUBYOPT" => nil }).out
    end

    # The last part that upstream defines.
    def test_autorun_counts_work_of_complete_upstreams
      script = "print Frugal::Autorun::Work.send(:const_get, :COMPLETE).inspect"
      complete = eval(run_command(RUBY, "-r#{LIB}/frugal/autorun.rb", "-e", script, env: { "RUBYOPT" => nil }).out) # rubocop:disable Security/Eval -- of a Hash of ours
      assert_operator complete.size, :>, 3
      complete.each { |name, constant| assert_includes Frugal::Dropin::CATALOGUE.fetch(name).instance_variable_get(:@parts), constant }
    end

    def test_guard_pristine
      file = write("upstream.rb", "class FrugalTestGreeting; def hello; end; def bye; end; private def whisper; end; end")
      load file
      upstream = FrugalTestGreeting
      upstream.class_eval { remove_method(:bye); def bye; end }
      folder = "#{tree}/"
      guard = Frugal::Dropin::Guard
      assert guard.pristine?(upstream, :hello, folder)
      assert guard.pristine?(upstream, :whisper, folder)
      refute guard.pristine?(upstream, :hello, "#{tree}/other/")
      refute guard.pristine?(upstream, :bye, folder)
      refute guard.pristine?(upstream, :missing, folder)
      refute guard.pristine?(Class.new(upstream), :hello, folder)
      refute guard.pristine?(upstream, :hello, nil)
      assert guard.pristine?(upstream, :hello, file: "/upstream.rb")
      refute guard.pristine?(upstream, :hello, file: "/other.rb")
      assert_nil guard.redefined(upstream, %i[hello whisper], folder)
      assert_equal "FrugalTestGreeting#bye was redefined", guard.redefined(upstream, %i[hello bye], folder)
      assert_equal folder, guard.folder(upstream, :hello)
      upstream.prepend(Module.new { def hello = super })
      refute guard.pristine?(upstream, :hello, folder)
    end

    def test_guard_core
      guard = Frugal::Dropin::Guard
      assert guard.core?(File.singleton_class, :mtime)
      refute guard.core?(File.singleton_class, :missing)
      own = Class.new(File) { def self.mtime(path) = super }
      refute guard.core?(own.singleton_class, :mtime)
      refute guard.core?(File.singleton_class, :open)
      assert guard.core?(File.singleton_class, :open, IO.singleton_class)
    end

    def test_guard_version
      guard = Frugal::Dropin::Guard
      assert guard.version_in?("13.0.6", "13.0".."13.4")
      assert guard.version_in?("13.4.2", "13.0".."13.4")
      refute guard.version_in?("13.10.0", "13.0".."13.4")
      refute guard.version_in?("12.3.3", "13.0".."13.4")
    end

    def test_guard_unknown_version
      guard = Frugal::Dropin::Guard
      assert_nil guard.unknown_version("Rake", "13.4.2", "13.0".."13.4")
      assert_nil guard.unknown_version("Sprockets", "4.2.1", "3.7".."3.7", "4.0".."4.4")
      assert_equal "Sprockets 3.6.0 is not a known version (known: 3.7, 4.0 to 4.4)",
                   guard.unknown_version("Sprockets", "3.6.0", "3.7".."3.7", "4.0".."4.4")
      assert_equal "Sinatra 4.2.0 is not a known version (known: 3.0 to 4.2, except 4.2.0)",
                   guard.unknown_version("Sinatra", "4.2.0", "3.0".."4.2", except: "4.2.0")
    end
  end
end

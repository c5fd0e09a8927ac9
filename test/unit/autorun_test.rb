# frozen_string_literal: true

# uses: valgrind

require_relative "../test_helper"

# A program under `frugal run` cannot notice frugal, in any environment.
class AutorunTest < Frugal::TestCase
  AUTORUN = "-r#{LIB}/frugal/autorun.rb"
  STATES = "Frugal::Dropin.status.to_h { |one| [one.name, one.state] }"
  STOCK = { "RUBYOPT" => nil, "RUBYLIB" => nil }.freeze

  def setup
    super
    skip "autorun is for MRI" unless RUBY_ENGINE == "ruby"
  end

  # Asserts that a script behaves the same without and with frugal.
  #
  # @return [String] what the script printed
  def assert_same_output(script, *options, **settings)
    stock, ours = [[], [AUTORUN]].map do |autorun|
      run_command(RUBY, *autorun, *options, "-e", script, env: STOCK, **settings)
    end
    assert_equal [stock.out, stock.err, stock.status.to_s[/exit.*|SIG.*/]],
                 [ours.out, ours.err, ours.status.to_s[/exit.*|SIG.*/]]
    ours.out
  end

  # @param depth [Integer] of the recursion: it makes 177 calls for 10, 21,891 for 20
  # @return [Integer] instructions of a process that loads an upstream, and then calls a method
  def instructions(depth, *options)
    script = "require 'fileutils'; def fib(n) = n < 2 ? n : fib(n - 1) + fib(n - 2); fib(#{depth})"
    result = run_command("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
                         RUBY, "--disable-gems", *options, "-e", script, env: STOCK)
    Integer(result.err[/Collected : (\d+)/, 1])
  end

  # @return [String] a file that Ruby 3.1 and 3.2 take for RuboCop's cache, which reads $LOADED_FEATURES
  def features_reader = @features_reader ||= write("rubocop/result_cache.rb", "")

  # start.rb has its own lists, since every process loads it, and hardly any loads watcher.rb.
  def test_the_start_wakes_for_what_the_watcher_awaits
    script = <<~'RUBY'
      start, watcher = Frugal::Start, Frugal::Autorun
      print start::ENDINGS.sort == watcher.instance_variable_get(:@endings).sort, " ",
            start::CONSTANTS.sort == [*watcher::UPSTREAMS.values.map { |_, constant| constant }.uniq, :Bundler].sort
    RUBY
    result = run_command(RUBY, AUTORUN, "-e", script, env: STOCK)
    assert_equal "true true", result.out, result
  end

  # Holds for all drop-ins in both engines, so that Ruby, RubyGems and RuboCop's cache key see the same list. On Ruby 3.1
  # and 3.2, where removing an entry is expensive, the entries are removed when RuboCop is about to read the list.
  def test_no_file_of_frugal_is_a_feature
    script = 'require "find"; require "pstore"; require "fileutils"; Dir["**/*"]; require "rake"'
    show = 'print $LOADED_FEATURES.grep_v(/result_cache/).sort.join("\n") unless ARGV.any?'
    features = assert_same_output("#{script}; require #{features_reader.dump}; #{show}", "-W0")
    refute_empty features
    refute_includes features, LIB
    script_without_gems = "require #{features_reader.dump}; print $LOADED_FEATURES.sort.join(' ')"
    refute_includes assert_same_output(script_without_gems, "--disable-gems"), LIB
    off = run_command(RUBY, AUTORUN, "-e", "print $LOADED_FEATURES.grep(/frugal/)", env: STOCK.merge("FRUGAL" => "0"))
    assert_equal "[]", off.out
    names = "print $LOADED_FEATURES.grep(/frugal/).map { |file| File.basename(file) }"
    ours = run_command(RUBY, "-W0", AUTORUN, "-e", "#{script}; #{names}", env: STOCK)
    assert_equal RUBY_VERSION.to_f >= 3.3 ? "[]" : '["autorun.rb", "frugal.so"]', ours.out if Frugal::Native.engine_name == :c
  end

  # Without RubyGems, RbConfig is not loaded. frugal needs it to find Ruby's own library, but leaves no RbConfig behind.
  def test_without_rubygems_ruby_s_own_library_is_found
    seen = "p defined?(RbConfig), defined?(CROSS_COMPILING), $LOADED_FEATURES.grep(/rbconfig/)"
    %w[find pstore].select { |one| File.exist?("#{RbConfig::CONFIG["rubylibdir"]}/#{one}.rb") }.each do |library|
      assert_equal "nil\nnil\n[]\n", assert_same_output("require #{library.dump}; #{seen}", "-w", "--disable-gems")
      assert_equal state(library), state(library, "--disable-gems")
    end
    assert_equal "on", state("find", "--disable-gems")
  end

  def test_without_rubygems_a_file_of_the_program_is_not_ruby_s
    write("own/find.rb", "module Find\n  def self.find(*) = 1\nend\n")
    refute_equal "on", state("find", "--disable-gems", "-I", path("own"))
  end

  # @return [String] the state of the drop-in; empty if frugal has not loaded the registry of drop-ins
  def state(library, *options)
    script = "require #{library.dump}; print #{STATES}[:#{library}] if Frugal::Dropin.respond_to?(:status)"
    result = run_command(RUBY, AUTORUN, "-w", *options, "-e", script, env: STOCK)
    assert_equal "", result.err
    result.out
  end

  # `frugal run -- ruby -rfrugal/store`: Ruby loads the files of -r before those of RUBYOPT.
  def test_a_program_that_has_required_frugal_before
    show = "require 'rake'; require 'pstore'; print #{STATES}.count { |_, state| state == :on }, " \
           "$LOADED_FEATURES.size == $LOADED_FEATURES.uniq.size, Frugal::Store.name"
    %w[frugal frugal/store frugal/cost frugal/minitest frugal/http frugal/rake frugal/native].each do |feature|
      result = run_command(RUBY, "-w", "-I", LIB, "-r#{feature}", AUTORUN, "-e", "require 'frugal/store'; #{show}", env: STOCK)
      assert_equal ["4trueFrugal::Store", ""], [result.out, result.err.lines.grep(/frugal/).join], feature
      off = run_command(RUBY, "-w", "-I", LIB, "-r#{feature}", AUTORUN, "-e", "require 'rake'; p defined?(Frugal::Autorun)",
                        env: STOCK.merge("FRUGAL" => "0"))
      assert_equal ["nil\n", ""], [off.out, off.err.lines.grep(/frugal/).join], feature
    end
  end

  # A gem is installed, and the program runs by the `frugal run` of a checkout.
  def test_a_program_that_has_required_another_copy_before
    FileUtils.cp_r(LIB, path("copy"))
    script = "require 'rake'; print Frugal::Dropin.status.first.state; puts $LOADED_FEATURES.grep(%r{\\A#{LIB}/})"
    %w[frugal frugal/store].each do |feature|
      result = run_command(RUBY, "-w", "-I", path("copy"), "-r#{feature}", AUTORUN, "-e", script, env: STOCK)
      assert_equal ["on#{LIB}/frugal/autorun.rb\n", ""], [result.out, result.err.lines.grep(/frugal/).join], feature
    end
  end

  # Files that are loaded already are not loaded again, and become features.
  def test_a_program_that_requires_frugal_itself
    switches = Dir.children("#{LIB}/frugal").grep(/\A(?:dir|fileutils|find|pstore|rake|store|http)\.rb\z/)
                  .map { |file| "frugal/#{file.delete_suffix(".rb")}" }
    load_all = 'require "find"; require "pstore"; require "fileutils"; Dir["**/*"]; require "rake"; '
    show = "print #{STATES}.count { |_, state| state == :on }, $LOADED_FEATURES.size == $LOADED_FEATURES.uniq.size, " \
           "$LOADED_FEATURES.grep(/dropin.rb/).size"
    switches.push("frugal", "frugal/cli").each do |feature|
      result = run_command(RUBY, "-w", AUTORUN, "-I", LIB, "-e", "#{load_all} require #{feature.dump}; #{show}", env: STOCK)
      assert_equal ["5true1", ""], [result.out, result.err], feature
    end
  end

  # Its drop-in is installed while autorun.rb is being loaded.
  def test_an_upstream_that_is_loaded_before_autorun
    show = "require #{features_reader.dump}; print $LOADED_FEATURES.grep(/frugal.(autorun|native)/)"
    result = run_command(RUBY, "-w", "-rfind", AUTORUN, "-e", show, env: STOCK)
    assert_equal ["[]", ""], [result.out, result.err]
  end

  # RUBYOPT and the command line may both name autorun.rb. As it is not a feature, Ruby loads the file twice.
  def test_autorun_that_is_named_twice_runs_once
    show = "require #{features_reader.dump}; print $LOADED_FEATURES.any?(/frugal.(autorun|native)/)"
    assert_equal "false", assert_same_output("require 'find'; #{show}", "-w", AUTORUN)
    assert_equal "false", assert_same_output(show, "-w", "-rfind", AUTORUN)
  end

  # The program's Gemfile may have another copy of frugal than the one that `frugal run` belongs to.
  def test_a_program_that_requires_another_copy_of_frugal
    system("cp", "-r", LIB, path("copy"), exception: true)
    script = %(require "find"; $:.unshift #{path("copy").dump}; require "frugal"; require "frugal/pstore"; ) +
             %(print #{STATES}.select { |_, state| state == :on }.keys)
    result = run_command(RUBY, "-w", AUTORUN, "-e", script, env: STOCK)
    assert_equal ["[:find, :fileutils, :pstore]", ""].last, result.err
    assert_includes result.out, ":pstore"
  end

  # The first TracePoint of methods or lines instruments all code of a process: from then on, calls of methods take
  # more than twice as long. Counted in instructions of the processor, less those of the launch.
  def test_code_of_the_program_is_not_instrumented
    skip "valgrind is not installed" unless run_command("sh", "-c", "command -v valgrind").success?
    skip "instructions are counted by bin/test --all" if QUICK

    stock, ours = [[], [AUTORUN]].map { |autorun| instructions(20, *autorun) - instructions(10, *autorun) }
    assert_in_epsilon stock, ours, 0.02
  end

  # The last line of an upstream file, and of a file of the program with the same name, is counted once.
  def test_coverage
    write("find.rb", "module Mine\n  X = 1\nend\nY = 2\nZ = 3\n")
    script = <<~'RUBY'
      require "coverage"
      evals = Coverage.respond_to?(:supported?) && Coverage.supported?(:eval) ? { eval: true } : {}
      Coverage.start(lines: true, methods: true, branches: true, **evals)
      require "./find"
      require "fileutils"
      require "tempfile"
      load RbConfig::CONFIG["rubylibdir"] + "/find.rb"
      Dir["**/*"]
      puts Coverage.result.map { |file, counts| [file, counts.hash, counts[:lines]].inspect }.sort
    RUBY
    assert_same_output(script.gsub("counts.hash, ", ""), chdir: tree)
  end

  # Only Ruby's own Coverage is asked whether it is running.
  def test_a_coverage_of_the_program
    ["class Coverage; end", "Coverage = 1", "Coverage = BasicObject.new",
     "module Coverage; def self.running? = print(:called); end"].each do |coverage|
      script = %(#{coverage}; require "fileutils"; require "pstore"; print 1)
      assert_equal "1", assert_same_output(script)
      states = run_command(RUBY, AUTORUN, "-e", "#{script}; print #{STATES}.values_at(:fileutils, :pstore)", env: STOCK)
      assert_equal "1[:on, :on]", states.out
    end
  end

  # A file of the program may have the same name as an upstream file.
  def test_a_file_of_the_program_with_the_name_of_an_upstream
    write("lib/find.rb", "module Find\n  def find(*paths) = yield(:mine)\n  module_function :find\nend\n")
    write("lib/pstore.rb", "class PStore\n  EMPTY_MARSHAL_CHECKSUM = 1\n  VERSION = '0.3.0'\n  def transaction = :mine\nend\n")
    script = 'require "find"; require "pstore"; Find.find("a") { |one| print one.inspect }; print PStore.new.transaction.inspect'
    assert_equal ":mine:mine", assert_same_output(script, "-I#{path("lib")}")
    script = 'require "find"; require "frugal"; print Frugal.enable(:find), Frugal::Dropin.status[2].reason'
    state = run_command(RUBY, "-W0", "-I#{path("lib")}", "-I", LIB, "-e", script, env: STOCK)
    assert_equal "aside#{path("lib/find.rb")} does not belong to the gem find", state.out
  end

  # An autoloaded file calls Dir.glob while it is being loaded, as in mruby's Rakefile.
  def test_an_autoload_that_globs
    write("lib/paths.rb", <<~'RUBY')
      Dir.glob("**/*.rb", base: "lib").each { |file| print file }
      class Pathname
        def initialize(*) = nil
      end
    RUBY
    script = "Object.__send__(:remove_const, :Pathname) if defined?(Pathname); " \
             'autoload :Pathname, "paths"; print Pathname.new("a").class, Object.autoload?(:Pathname).inspect'
    assert_equal "paths.rbPathnamenil", assert_same_output(script, "--disable-gems", "-I#{path("lib")}", chdir: tree)
    pending = "Object.__send__(:remove_const, :Pathname) if defined?(Pathname); " \
              "autoload :Pathname, \"#{path("missing")}\"; " \
              'print Dir.glob("**/*.rb", base: "lib"), Dir["**/*.rb"], Object.autoload?(:Pathname).inspect'
    assert_includes assert_same_output(pending, "--disable-gems", chdir: tree), "missing"
  end

  # An error that a timer, a thread or a signal handler of the program raises in frugal's code reaches the program.
  def test_an_interrupt_while_a_drop_in_is_installed
    system("cp", "-r", LIB, path("lib"), exception: true)
    signal = %($disturbed or ($disturbed = true) && Process.kill("USR1", Process.pid) && sleep(0.05))
    thread = %(main = Thread.current; main.thread_variable_set(:go, Thread.new { main.raise(ArgumentError, "mine") }.join))
    { "thread" => [thread, "ArgumentError: mine"],
      "handler" => [signal, "RuntimeError: mine"] }.each do |kind, (disturbance, expected)|
      %w[dropin/find.rb dropin/guard.rb].each do |file|
        File.write(path("lib/frugal/#{file}"), "#{File.read("#{LIB}/frugal/#{file}")}\n#{disturbance}\n")
        script = <<~'RUBY'
          trap("USR1") { raise "mine" }
          begin
            require "find"
            sleep 0.1
            print "nothing was raised"
          rescue ArgumentError, RuntimeError => error
            print error.class, ": ", error.message
          end
          require "find"
          print " ", Find.find("/dev/null").to_a
        RUBY
        result = run_command(RUBY, "-W0", "-r#{path("lib/frugal/autorun.rb")}", "-e", script, env: STOCK)
        assert_equal "#{expected} [\"/dev/null\"]", result.out, "#{kind} in #{file}: #{result}"
        FileUtils.cp("#{LIB}/frugal/#{file}", path("lib/frugal/#{file}"))
      end
    end
  end

  # An interrupted installation restores the methods that it has replaced, with their visibility and aliases.
  def test_an_installation_that_is_interrupted
    script = <<~'RUBY'
      methods = lambda do
        [FileUtils, FileUtils.singleton_class].map do |owner|
          %i[mkdir_p mkpath makedirs remove_entry].map do |name|
            [owner.instance_method(name).source_location, owner.public_method_defined?(name)]
          end
        end
      end
      require "fileutils"
      before = methods.call
      require "frugal"
      def FileUtils.method_added(name)
        name == :copy_entry && !@disturbed && (@disturbed = true) && Process.kill("USR1", $$) && sleep(0.05)
      end
      trap("USR1") { raise "mine" }
      begin
        Frugal.enable(:fileutils)
      rescue RuntimeError => error
        print error.message, " "
      end
      print before == methods.call, FileUtils.private_methods.grep(/frugal/), FileUtils.private_instance_methods.grep(/frugal/)
    RUBY
    result = run_command(RUBY, "-w", "-I", LIB, "-e", script, env: STOCK)
    assert_equal ["mine true[][]", ""], [result.out, result.err]
  end

  # A switch file loads its upstream if that belongs to Ruby's standard library.
  def test_a_switch_file_loads_its_upstream
    { "find" => "Find", "fileutils" => "FileUtils", "pstore" => "PStore" }.each do |name, constant|
      assert_equal "#{constant} on", run_ruby("-rfrugal/#{name}", "-e", "print #{constant}, ' ', #{STATES}[:#{name}]").out
    end
  end

  # An endless method, a numbered parameter or a rescue in a block without begin is newer than Ruby 2.0.
  def test_autorun_keeps_to_the_grammar_of_old_rubies
    newer = { /^\s*def [^(\n]*(\([^)\n]*\))? = / => "an endless method", /&\./ => "safe navigation",
              /\b_1\b|\bit\b\./ => "a numbered parameter",
              /<<~/ => "a squiggly heredoc", /^\s*in / => "pattern matching", /\(\.\.\.\)/ => "argument forwarding",
              /\{ \w+:, / => "shorthand hash" }
    source = File.read("#{LIB}/frugal/autorun.rb").gsub(/#.*$/, "")
    assert_empty(newer.filter_map { |pattern, what| what if pattern.match?(source) })
    old = ENV["FRUGAL_OLD_RUBY"] or return # such as: chroot /path/to/bullseye ruby
    result = run_command(*old.split, "-W0", AUTORUN, "-e", "print RUBY_VERSION, defined?(Frugal).inspect", env: STOCK)
    assert_match(/\A2\.\dnil|\A2\.\d\.\d+nil/, result.out, result)
  end

  # Paths have the same encodings as in Ruby, even in the C locale, which cron uses.
  def test_encodings_of_paths_in_the_c_locale
    write("a/ä.rb".b)
    write("a/b.rb")
    source = "# encoding: us-ascii\n" \
             'p Dir["**/*.rb"].map { |path| [path.b, path.encoding] }, Dir.glob("a/*").map(&:encoding), ' \
             'Dir.glob("**/*", base: "a").map(&:encoding)'
    write("main.rb", source)
    %w[C C.UTF-8].each do |locale|
      stock, ours = [[], [AUTORUN]].map do |autorun|
        run_command(RUBY, *autorun, "main.rb", chdir: tree, env: STOCK.merge("LC_ALL" => locale))
      end
      assert_equal stock.out, ours.out, locale
    end
  end
end

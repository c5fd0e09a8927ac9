# frozen_string_literal: true

require_relative "../test_helper"

# A program under `frugal run` finds no trace of frugal that stock would not have left,
# whatever its surroundings are.
class AutorunTest < Frugal::TestCase
  AUTORUN = "-r#{LIB}/frugal/autorun.rb"
  STATES = "Frugal::Dropin.status.to_h { |one| [one.name, one.state] }"
  STOCK = { "RUBYOPT" => nil, "RUBYLIB" => nil }.freeze

  def setup
    super
    skip "autorun is for MRI" unless RUBY_ENGINE == "ruby"
  end

  # @return [String] what a script printed, without and with frugal, which are the same
  def same(script, *options, **settings)
    stock, ours = [[], [AUTORUN]].map { |autorun| run_command(RUBY, *autorun, *options, "-e", script, env: STOCK, **settings) }
    assert_equal [stock.out, stock.err, stock.status.to_s[/exit.*|SIG.*/]], [ours.out, ours.err, ours.status.to_s[/exit.*|SIG.*/]]
    ours.out
  end

  # @return [String] what Ruby 3.1 and 3.2 take for RuboCop's cache
  def reader = @reader ||= write("rubocop/result_cache.rb", "")

  # Of all drop-ins, in both engines: Ruby, RubyGems and RuboCop's cache key see the same list. Ruby 3.1 and 3.2, for
  # which it is expensive to take an entry off, do so as soon as RuboCop is about to look at it.
  def test_no_file_of_frugals_is_a_feature
    script = 'require "find"; require "pstore"; require "fileutils"; Dir["**/*"]; require "rake"'
    show = 'print $LOADED_FEATURES.grep_v(/result_cache/).sort.join("\n") unless ARGV.any?'
    features = same("#{script}; require #{reader.dump}; #{show}", "-W0")
    refute_empty features
    refute_includes features, LIB
    refute_includes same("require #{reader.dump}; print $LOADED_FEATURES.sort.join(' ')", "--disable-gems"), LIB
    off = run_command(RUBY, AUTORUN, "-e", "print $LOADED_FEATURES.grep(/frugal/)", env: STOCK.merge("FRUGAL" => "0"))
    assert_equal "[]", off.out
    ours = run_command(RUBY, "-W0", AUTORUN, "-e", "#{script}; print $LOADED_FEATURES.grep(/frugal/).map { |file| File.basename(file) }", env: STOCK)
    assert_equal RUBY_VERSION.to_f >= 3.3 ? "[]" : '["autorun.rb", "frugal.so"]', ours.out if Frugal::Native.engine_name == :c
  end

  # Nobody has loaded RbConfig there, which says where Ruby's own library is; frugal leaves no RbConfig behind either.
  def test_without_rubygems_ruby_s_own_library_is_known
    seen = "p defined?(RbConfig), defined?(CROSS_COMPILING), $LOADED_FEATURES.grep(/rbconfig/)"
    %w[find pstore].select { |one| File.exist?("#{RbConfig::CONFIG["rubylibdir"]}/#{one}.rb") }.each do |library|
      assert_equal "nil\nnil\n[]\n", same("require #{library.dump}; #{seen}", "-w", "--disable-gems")
      assert_equal state(library), state(library, "--disable-gems")
    end
    assert_equal "on", state("find", "--disable-gems")
  end

  def test_without_rubygems_a_file_of_the_program_is_not_ruby_s
    write("own/find.rb", "module Find\n  def self.find(*) = 1\nend\n")
    refute_equal "on", state("find", "--disable-gems", "-I", path("own"))
  end

  # @return [String] of the drop-in; empty where frugal has not even loaded what would say it
  def state(library, *options)
    script = "require #{library.dump}; print #{STATES}[:#{library}] if Frugal::Dropin.respond_to?(:status)"
    result = run_command(RUBY, AUTORUN, "-w", *options, "-e", script, env: STOCK)
    assert_equal "", result.err
    result.out
  end

  # What is loaded already is not loaded again, and is a feature from then on.
  def test_a_program_that_requires_frugal_itself
    switches = Dir.children("#{LIB}/frugal").grep(/\A(?:dir|fileutils|find|pstore|rake|store|http)\.rb\z/).map { |file| "frugal/#{file.delete_suffix(".rb")}" }
    load_all = 'require "find"; require "pstore"; require "fileutils"; Dir["**/*"]; require "rake"; '
    switches.push("frugal", "frugal/cli").each do |feature|
      result = run_command(RUBY, "-w", AUTORUN, "-I", LIB, "-e", "#{load_all} require #{feature.dump}; print #{STATES}.count { |_, state| state == :on }, " \
                                                                  "$LOADED_FEATURES.size == $LOADED_FEATURES.uniq.size, $LOADED_FEATURES.grep(/dropin.rb/).size", env: STOCK)
      assert_equal ["5true1", ""], [result.out, result.err], feature
    end
  end

  # Its drop-in is installed while autorun.rb is loaded.
  def test_an_upstream_that_was_there_before_leaves_no_trace_either
    found = run_command(RUBY, "-w", "-rfind", AUTORUN, "-e", "require #{reader.dump}; print $LOADED_FEATURES.grep(/frugal.(autorun|native)/)", env: STOCK)
    assert_equal ["[]", ""], [found.out, found.err]
  end

  # RUBYOPT may have it, and the command line too; where it is no feature, Ruby loads it again.
  def test_autorun_named_twice_is_loaded_once
    show = "require #{reader.dump}; print $LOADED_FEATURES.any?(/frugal.(autorun|native)/)"
    assert_equal "false", same("require 'find'; #{show}", "-w", AUTORUN)
    assert_equal "false", same(show, "-w", "-rfind", AUTORUN)
  end

  # A copy of frugal in the Gemfile beside the one that is running.
  def test_a_program_that_requires_another_copy_of_frugal
    system("cp", "-r", LIB, path("copy"), exception: true)
    script = %(require "find"; $:.unshift #{path("copy").dump}; require "frugal"; require "frugal/pstore"; print #{STATES}.select { |_, state| state == :on }.keys)
    result = run_command(RUBY, "-w", AUTORUN, "-e", script, env: STOCK)
    assert_equal ["[:find, :fileutils, :pstore]", ""].last, result.err
    assert_includes result.out, ":pstore"
  end

  # The last line of upstream's file, and of a file of the program's with its name, is counted once.
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
    same(script.gsub("counts.hash, ", ""), chdir: tree)
  end

  # A file of the program's own with upstream's name is not upstream's.
  def test_a_stranger_with_upstreams_name
    write("lib/find.rb", "module Find\n  def find(*paths) = yield(:mine)\n  module_function :find\nend\n")
    write("lib/pstore.rb", "class PStore\n  EMPTY_MARSHAL_CHECKSUM = 1\n  VERSION = '0.3.0'\n  def transaction = :mine\nend\n")
    assert_equal ":mine:mine", same('require "find"; require "pstore"; Find.find("a") { |one| print one.inspect }; print PStore.new.transaction.inspect', "-I#{path("lib")}")
    state = run_command(RUBY, "-W0", "-I#{path("lib")}", "-I", LIB, "-e", 'require "find"; require "frugal"; print Frugal.enable(:find), Frugal::Dropin.status[2].reason', env: STOCK)
    assert_equal "aside#{path("lib/find.rb")} is not find's own", state.out
  end

  # As mruby's Rakefile has it: what it autoloads globs while it is being loaded.
  def test_an_autoload_that_globs
    write("lib/paths.rb", %(Dir.glob("**/*.rb", base: "lib").each { |file| print file }\nclass Pathname\n  def initialize(*) = nil\nend\n))
    script = 'Object.__send__(:remove_const, :Pathname) if defined?(Pathname); ' \
             'autoload :Pathname, "paths"; print Pathname.new("a").class, Object.autoload?(:Pathname).inspect'
    assert_equal "paths.rbPathnamenil", same(script, "--disable-gems", "-I#{path("lib")}", chdir: tree)
    pending = "Object.__send__(:remove_const, :Pathname) if defined?(Pathname); " +
              %(autoload :Pathname, "#{path("missing")}"; print Dir.glob("**/*.rb", base: "lib"), Dir["**/*.rb"], Object.autoload?(:Pathname).inspect)
    assert_includes same(pending, "--disable-gems", chdir: tree), "missing"
  end

  # What the program raises into our work is the program's: a timer, a thread, a signal's handler.
  def test_an_interrupt_while_a_drop_in_is_installed
    system("cp", "-r", LIB, path("lib"), exception: true)
    signal = %($disturbed or ($disturbed = true) && Process.kill("USR1", Process.pid) && sleep(0.05))
    { "thread" => [%(main = Thread.current; main.thread_variable_set(:go, Thread.new { main.raise(ArgumentError, "mine") }.join)), "ArgumentError: mine"],
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

  # Half of a patch is none: what was replaced is put back, as public, private or aliased as it was.
  def test_a_patch_that_breaks_off
    script = <<~'RUBY'
      methods = -> { [FileUtils, FileUtils.singleton_class].map { |owner| %i[mkdir_p mkpath makedirs remove_entry].map { |name| [owner.instance_method(name).source_location, owner.public_method_defined?(name)] } } }
      require "fileutils"
      before = methods.call
      require "frugal"
      def FileUtils.method_added(name) = name == :copy_entry && !@disturbed && (@disturbed = true) && Process.kill("USR1", $$) && sleep(0.05)
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

  # A switch loads its upstream where that is Ruby's own.
  def test_a_switch_gives_its_upstream
    { "find" => "Find", "fileutils" => "FileUtils", "pstore" => "PStore" }.each do |name, constant|
      assert_equal "#{constant} on", run_ruby("-rfrugal/#{name}", "-e", "print #{constant}, ' ', #{STATES}[:#{name}]").out
    end
  end

  # An endless method, a numbered parameter or a rescue in a block without begin is newer than Ruby 2.0.
  def test_autorun_keeps_to_the_grammar_of_old_rubies
    newer = { /^\s*def [^(\n]*(\([^)\n]*\))? = / => "an endless method", /&\./ => "safe navigation", /\b_1\b|\bit\b\./ => "a numbered parameter",
              /<<~/ => "a squiggly heredoc", /^\s*in / => "pattern matching", /\(\.\.\.\)/ => "argument forwarding", /\{ \w+:, / => "shorthand hash" }
    source = File.read("#{LIB}/frugal/autorun.rb").gsub(/#.*$/, "")
    assert_empty(newer.filter_map { |pattern, what| what if pattern.match?(source) })
    old = ENV["FRUGAL_OLD_RUBY"] or return # such as: chroot /path/to/bullseye ruby
    result = run_command(*old.split, "-W0", AUTORUN, "-e", "print RUBY_VERSION, defined?(Frugal).inspect", env: STOCK)
    assert_match(/\A2\.\dnil|\A2\.\d\.\d+nil/, result.out, result)
  end

  # In a locale of ASCII alone, as cron has it, encodings are Ruby's too.
  def test_encodings_of_paths_in_the_c_locale
    write("a/ä.rb".b)
    write("a/b.rb")
    source = "# encoding: us-ascii\n" \
             'p Dir["**/*.rb"].map { |path| [path.b, path.encoding] }, Dir.glob("a/*").map(&:encoding), Dir.glob("**/*", base: "a").map(&:encoding)'
    write("main.rb", source)
    %w[C C.UTF-8].each do |locale|
      stock, ours = [[], [AUTORUN]].map { |autorun| run_command(RUBY, *autorun, "main.rb", chdir: tree, env: STOCK.merge("LC_ALL" => locale)) }
      assert_equal stock.out, ours.out, locale
    end
  end
end

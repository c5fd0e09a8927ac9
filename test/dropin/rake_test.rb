# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/rake_pairs"

# Builds whose result once differed, or may differ, from stock Rake's. A regression has
# its place here: a script in one of the tables, or a test of its own. Random builds are
# in test/fuzz/rake, costs in rake_cost_test.rb.
class RakeTest < Frugal::TestCase
  include RakePairs

  # Runs before each script.
  PREPARED = <<~'RUBY'
    require "pathname"
    Rake.verbose(false)
    def build(*names) = names.each { |name| Rake::Task[name].invoke }
    def report(task) = puts("#{task.name} from #{task.sources.inspect}")
    def old(*names) = names.each { |name| File.write(name, ""); File.utime(5, 5, name) }
    def try
      yield
    rescue StandardError => e
      puts "#{e.class}: #{e.message}"
    end
  RUBY

  # What each prints is compared to stock, under the oldest and the newest Rake and both engines.
  RULES = {
    "a source that exists" => <<~'RUBY',
      old("a.c")
      rule(".o" => ".c") { |t| report(t); touch t.name }
      build("a.o")
    RUBY
    "a source that another rule makes" => <<~'RUBY',
      old("a.y")
      rule(".o" => ".c") { |t| report(t); touch t.name }
      rule(".c" => ".y") { |t| report(t); touch t.name }
      build("a.o")
      p Rake::Task.tasks.map(&:name)
    RUBY
    "the first of two rules whose source is missing" => <<~'RUBY',
      old("a.c")
      rule(".o" => ".y") { |t| puts "never" }
      rule(".o" => ".c") { |t| report(t) }
      build("a.o")
    RUBY
    "one of two sources is missing" => <<~'RUBY',
      old("a.c")
      rule(".o" => [".c", ".h"]) { |t| report(t) }
      try { build("a.o") }
      old("a.h")
      build("a.o")
    RUBY
    "a source that is only a task" => <<~'RUBY',
      task("a.c") { puts "a.c" }
      rule(".o" => ".c") { |t| report(t) }
      build("a.o")
    RUBY
    "a proc that makes the source" => <<~'RUBY',
      rule(".o" => ->(name) { old(name.ext("c")); name.ext("c") }) { |t| report(t) }
      build("a.o")
    RUBY
    "a proc that removes a source of an earlier rule" => <<~'RUBY',
      old("a.c")
      rule(".o" => [".c", ->(name) { File.delete("a.c"); "a.h" }]) { |t| puts "never" }
      rule(".o" => ".c") { |t| report(t) }
      try { build("a.o") }
    RUBY
    "traced rules" => <<~'RUBY',
      Rake.application.options.trace_rules = true
      old("a.y")
      rule(".o" => ".h") { |t| puts "never" }
      rule(".o" => ".c") { |t| report(t); touch t.name }
      rule(".c" => ".y") { |t| report(t); touch t.name }
      build("a.o")
      try { build("b.o") }
    RUBY
    "rules that are recursive" => <<~'RUBY',
      rule(/^(.*)q$/ => ->(name) { "#{name}q" }) { |t| report(t) }
      try { build("q") }
    RUBY
    "a rule for prerequisites" => <<~'RUBY',
      old("a.c", "b.c")
      rule(".o" => ".c") { |t| report(t); touch t.name }
      file("all" => %w[a.o b.o]) { |t| report(t); touch t.name }
      build("all")
      Rake::Task["all"].all_prerequisite_tasks.each(&:reenable)
      Rake::Task["all"].reenable
      build("all")
    RUBY
    "a rule in a namespace, which has a task with the name of the source" => <<~'RUBY'
      old("a.c")
      namespace(:n) do
        rule(".o" => ".c") { |t| report(t) }
        task("a.c") { puts "n:a.c" }
        task("go" => "a.o") { puts "go" }
      end
      build("n:go")
    RUBY
  }.freeze

  def test_rules
    assert_all_as_stock(RULES.map { |name, code| RakePairs::Script.new(name: name, before: PREPARED, code: code) })
  end

  # Stock Rake is recursive, and a long chain overflows its stack.
  def test_a_long_chain_needs_no_deep_stack
    write("0", mtime: Time.at(1_000_000))
    write("Rakefile", <<~'RUBY')
      (1..5000).each { |i| file(i.to_s => (i - 1).to_s) { |t| File.write(t.name, "") } }
      task(default: "5000")
    RUBY
    script = "require 'rake'; require 'frugal/rake'; Rake.application.run"
    2.times do
      assert run_command(RUBY, "-w", "-I", LIB, "-I", "#{Rakes.all.first}/lib", "-e", script, chdir: tree).success?
    end
    assert_equal 5001, Dir.children(tree).grep(/\A\d+\z/).size
  end

  # Programs of specs are kept by the text of the spec, so a changed spec gets a new program.
  def test_a_spec_may_be_changed_afterwards
    script = 'require "rake"; require "frugal/rake"; ' \
             's = +"%n"; a = "x.c".pathmap(s); s << ".o"; puts a + "x.c".pathmap(s)'
    assert_equal "xx.o\n", run_ruby("-e", script).out
  end

  # Rake does not replace a String#ext that the program defined before, and neither does frugal.
  def test_an_ext_of_the_program_is_not_replaced
    script = 'class String; def ext(*) = "mine"; end; require "rake"; %s; ' \
             'puts "a/b.c".ext("o"), "a/b.c".pathmap("%%X.o %%n")'
    stock, dropin = ["0", 'require "frugal/rake"'].map { |load| run_ruby("-e", format(script, load)).out }
    assert_equal stock, dropin
    assert_includes dropin, "mine"
  end

  UNLISTABLE = <<~'RUBY'
    def show(list)
      2.times do
        p list.to_a
      rescue SystemCallError, IndexError => e
        p [e.class, e.message]
      end
    end
    # Root can read every folder. JRuby cannot change the user.
    Process::UID.change_privilege(65_534) if Process.uid.zero? && RUBY_ENGINE != "jruby"
    Dir.mktmpdir do |home|
      Dir.chdir(home) do
        Dir.mkdir("closed", 0)
        IO.write("b.c", "")
        IO.write("core", "")
        File.symlink("circle", "circle")
        show(Rake::FileList["core", "b.*", "**/*.c", "circle/*", "never"])
        show(Rake::FileList["{**/*.c,circle/*.c}"])
        show(Rake::FileList["x", "{*,circle/*}"])
        Dir.define_singleton_method(:glob) { |*patterns| raise IndexError, patterns.first }
        show(Rake::FileList["core", "x", "*.c", "never"])
        File.chmod(0o700, "closed") # so that it can be removed
      end
    end
  RUBY

  # Ruby warns about the folder "closed", and raises for "circle". A replacement of Dir.glob raises, too.
  def test_a_pattern_that_cannot_be_listed_is_listed_only_once
    outcomes = [nil, "c", "pure"].map do |engine|
      options = engine ? ["-I", LIB, "-rrake", "-rfrugal/rake"] : ["-rrake"]
      result = run_command(RUBY, "-w", *options, "-rtmpdir", "-e", UNLISTABLE, chdir: "/",
                                                                               env: { "FRUGAL_ENGINE" => engine })
      [result.out, result.err.gsub(/^\S*: warning: /, "")]
    end
    assert_equal [outcomes.first] * 3, outcomes
    warnings = RUBY_ENGINE == "jruby" ? 0 : 2 # JRuby's Dir.glob reports nothing, neither "closed" nor "circle"
    assert_equal warnings, outcomes.first.last.lines.count("closed: Permission denied\n")
    assert_equal 8, outcomes.first.first.lines.size
  end
end

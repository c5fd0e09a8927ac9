# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/rakes"

# pathmap, ext and FileList on random input: stock Rake against the drop-in.
class RakeNamesTest < Frugal::TestCase
  SCRIPT = File.join(__dir__, "rake_names_script.rb")
  SEED = Random.new_seed % 1_000_000

  [Rakes.all.first, Rakes.all.last].uniq.product(%w[c pure]).each do |rake, engine|
    define_method("test_names_are_as_with_stock_#{File.basename(rake)}_#{engine}") do
      stock = lines(rake)
      lines(rake, "-I", LIB, "-rrake", "-rfrugal/rake", env: { "FRUGAL_ENGINE" => engine }).each_with_index do |line, i|
        assert_equal stock[i], line, "seed #{SEED}"
      end
    end
  end

  # Programs of specs are kept by their text: a spec that was changed is another.
  def test_a_spec_may_be_changed_afterwards
    script = 'require "rake"; require "frugal/rake"; s = +"%n"; a = "x.c".pathmap(s); s << ".o"; puts a + "x.c".pathmap(s)'
    assert_equal "xx.o\n", run_ruby("-e", script).out
  end

  # Also says that the drop-in is at work at all.
  def test_a_name_costs_one_object
    skip "no compiled library here" unless Frugal::Native.engine_name == :c
    script = <<~RUBY
      # frozen_string_literal: true
      require "rake"; require "frugal/rake"
      names = Array.new(1000) { |i| "src/\#{i}.c" }
      [->(name) { name.ext(".o") }, ->(name) { name.pathmap("%{^src,out}X.o") }].each do |map|
        counts = Array.new(2) do
          before = GC.stat(:total_allocated_objects)
          names.each { |name| map.call(name) }
          GC.stat(:total_allocated_objects) - before
        end
        puts counts.last
      end
    RUBY
    assert_equal "1000\n1000\n", run_ruby("-e", script).out
  end

  # Rake leaves a String#ext alone that was there before, and so does frugal.
  def test_an_ext_of_others_stays
    script = 'class String; def ext(*) = "mine"; end; require "rake"; %s; puts "a/b.c".ext("o"), "a/b.c".pathmap("%%X.o %%n")'
    stock, dropin = ["0", 'require "frugal/rake"'].map { |load| run_ruby("-e", format(script, load)).out }
    assert_equal stock, dropin
    assert_includes dropin, "mine"
  end

  # Ruby warns of "closed", and raises at "circle". What stands in for Dir.glob raises, too.
  def test_a_pattern_that_cannot_be_listed_is_asked_once
    script = <<~'RUBY'
      Process::UID.change_privilege(65_534) if Process.uid.zero? # root may read every folder
      Dir.mktmpdir do |home|
        Dir.chdir(home) do
          Dir.mkdir("closed", 0)
          IO.write("b.c", "")
          IO.write("core", "")
          File.symlink("circle", "circle")
          [["core", "b.*", "**/*.c", "circle/*", "never"], ["{**/*.c,circle/*.c}"], ["x", "{*,circle/*}"]].each do |patterns|
            ask(Rake::FileList[*patterns])
          end
          Dir.define_singleton_method(:glob) { |*patterns| raise IndexError, patterns.first }
          ask(Rake::FileList["core", "x", "*.c", "never"])
          File.chmod(0o700, "closed") # so that it can be removed
        end
      end
    RUBY
    ask = 'def ask(list) = 2.times { begin p list.to_a; rescue SystemCallError, IndexError => e; p [e.class, e.message]; end }'
    outcomes = [nil, "c", "pure"].map do |engine|
      options = engine ? ["-I", LIB, "-rrake", "-rfrugal/rake"] : ["-rrake"]
      result = run_command(RUBY, "-w", *options, "-rtmpdir", "-e", "#{ask}\n#{script}", chdir: "/", env: { "FRUGAL_ENGINE" => engine })
      [result.out, result.err.gsub(/^\S*: warning: /, "")]
    end
    assert_equal [outcomes.first] * 3, outcomes
    assert_equal 2, outcomes.first.last.lines.count("closed: Permission denied\n")
    assert_equal 8, outcomes.first.first.lines.size
  end

  private

  def lines(rake, *options, env: {})
    result = run_command(RUBY, "-I", "#{rake}/lib", *options, SCRIPT, SEED.to_s, env: env, chdir: tree)
    assert result.success?, result
    result.out.lines.tap { |lines| assert_equal 2400, lines.size }
  end
end

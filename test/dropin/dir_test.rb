# frozen_string_literal: true

require_relative "../test_helper"

# The Dir drop-in: what it answers, what it leaves to Ruby, what it costs.
class DirTest < Frugal::TestCase
  SEED = Random.new_seed % 1_000_000

  def setup
    super
    skip "no compiled library here" unless Frugal::Native.engine_name == :c
  end

  def test_no_difference_on_random_trees
    result = run_ruby(File.join(ROOT, "test/fuzz/glob_fuzz.rb"), "--cases", "1500", "--seed", SEED.to_s)
    assert result.success?, result
    assert_match(/\Aseed #{SEED}: 15\d\d cases, \d{3,} answered by a walk\n\z/, result.out)
  end

  def test_on_off_and_where_it_stands_aside
    state = "p Frugal::Dropin.status.find { |status| status.name == :dir }.then { |status| [status.state, status.reason] }"
    assert_equal "[:on, nil]\n", run_ruby("-rfrugal/dir", "-e", state).out
    assert_equal "[:off, \"FRUGAL_DIR=0\"]\n", run_ruby("-rfrugal/dir", "-e", state, env: { "FRUGAL_DIR" => "0" }).out
    assert_equal "[:aside, \"without the C engine it would not pay\"]\n",
                 run_ruby("-rfrugal/dir", "-e", state, env: { "FRUGAL_ENGINE" => "pure" }).out
    redefined = "def Dir.glob(*) = [:mine]; require 'frugal/dir'; p Dir.glob('**/*'); #{state}"
    assert_equal "[:mine]\n[:aside, \"Dir.glob was redefined\"]\n", run_ruby("-W0", "-e", redefined).out
  end

  def test_frugal_run_waits_for_a_recursive_pattern
    write("a/b.c")
    script = "p Dir.glob('*'), Dir.method(:glob).owner; p Dir['**/*.c'], Dir.glob('**/*') { |path| p path }; p $LOADED_FEATURES.grep(/frugal/).size"
    stock = run_command(RUBY, "-w", "-e", script, chdir: tree)
    with = run_command(File.join(ROOT, "bin/frugal"), "run", "--", RUBY, "-w", "-e", script, chdir: tree)
    assert_equal stock.out.lines[0..-2], with.out.lines[0..-2]
    assert_empty with.err
    assert_operator with.out.lines.last.to_i, :>, 3
    none = run_command(File.join(ROOT, "bin/frugal"), "run", "--", RUBY, "-e", "Dir.glob('*'); Dir['lib/*']; print $LOADED_FEATURES.grep(/frugal/).size")
    assert_equal "1", none.out
  end

  # A folder: open, getdents twice, close. No stat.
  def test_cost
    10.times { |i| write("#{i}/a.c") }
    require "frugal/walk/fast_glob"
    pattern = "#{tree}/**/*.c"
    bill = measure_cost { Frugal::Walk::FastGlob.paths(pattern) }
    assert_equal({ "open" => 11, "getdents" => 22, "close" => 11 }, bill.syscalls.tally)
    assert_empty bill.exceptions
  end
end

# frozen_string_literal: true

require_relative "../../test_helper"
require_relative "../../support/profile_case"

class CheckThenUseTest < Frugal::TestCase
  include ProfileCase

  # The break-even of the model: a check of 2 µs against an exception of 4 µs is 2 / (2 + 4).
  def test_few_misses_are_rescued
    found = checks(hits: 30, misses: 5)
    assert_equal [:check_then_use, "/app/a.rb:4", 30], [found.kind, found.place, found.count]
    assert_in_delta 5 / 35.0, found.fail_rate
    assert_in_delta (30 * 2.0) - (5 * 4.0), found.saved_us
    assert_equal "Drop the check and rescue Errno::ENOENT, or use Frugal.read(path), which returns nil for a miss.", found.fix
    assert_equal "30 of 35 checks (stat) are followed by openat of the same path; 14 % of the checks fail " \
                 "(break-even: 33 %), and the file may vanish in between", found.message
  end

  # Without the check, the open fails for a file that may not be read.
  def test_a_check_for_a_permission
    found = finding do
      30.times do |i|
        file "f#{i}"
        line(4, "readable?") && eaccess("f#{i}", 4)
        line(5, "open") && close(open("f#{i}"))
      end
    end
    assert_includes found.fix, "rescue Errno::ENOENT and Errno::EACCES, or"
  end

  def test_many_misses_need_a_call_without_an_exception
    found = checks(hits: 30, misses: 70)
    assert_equal "Drop the check and use Frugal.read(path), which returns nil for a miss without an exception.", found.fix
    assert_in_delta 30 * 2.0, found.saved_us
    assert_equal [:likely, "the answer of the check is not used for anything else"], [found.proof, found.assumption]
  end

  def test_the_break_even_decides
    assert_includes checks(hits: 21, misses: 10).fix, "rescue"
    refute_includes checks(hits: 20, misses: 11).fix, "rescue"
  end

  # 2 / (2 + 4 + 4), and for a use that is no open, 2 / (2 + 4).
  def test_an_open_that_fails_costs_more_than_a_question_that_fails
    @model = Frugal::Profile::CostModel.new(**MODEL.table, open_miss: 4.0)
    assert_includes checks(hits: 30, misses: 5).message, "break-even: 20 %"
    assert_includes checks(hits: 30, misses: 5) { |name| unlink name }.message, "break-even: 33 %"
  end

  def test_the_depth_of_the_stack_makes_exceptions_more_expensive
    assert_includes checks(hits: 30, misses: 5, fill: 7).fix, "rescue"
    refute_includes checks(hits: 30, misses: 5, fill: 110).fix, "rescue"
  end

  def test_without_such_a_call_the_check_is_right_where_many_miss
    assert_nil(checks(hits: 10, misses: 40) { |name| unlink name })
    assert_equal 30, checks(hits: 30, misses: 5) { |name| unlink name }.count
  end

  def test_a_directory_that_is_made_unless_it_is_there
    found = finding { create(made: 30, present: 5) }
    assert_equal [:check_then_use, 30], [found.kind, found.count]
    assert_equal "Drop the check and rescue Errno::EEXIST.", found.fix
    assert_in_delta (30 * 2.0) - (5 * 4.0), found.saved_us
    assert_empty(findings { create(made: 10, present: 40) })
  end

  # utime follows a link, and works for any file: it does not fail where the check does.
  def test_a_check_for_a_type_that_the_use_does_not_answer
    { "symlink?" => :utime, "directory?" => :chmod }.each do |question, use|
      found = findings do
        9.times { |i| directory("f#{i}") && line(4, question) && lstat("f#{i}") && line(5) && public_send(use, "f#{i}") }
      end
      assert_empty found, question
    end
    assert_equal(9, count(:check_then_use) { 9.times { |i| directory("d#{i}") && line(4, "directory?") && stat("d#{i}") && line(5) && rmdir("d#{i}") } })
  end

  # One check that finds the file and is not followed by the use shows that its answer is needed.
  def test_a_check_that_decides_something_else
    found = findings do
      20.times do |i|
        file "f#{i}"
        line(4, "exist?") && stat("f#{i}")
        line(5, "open") && close(open("f#{i}")) unless i == 7
      end
    end
    assert_empty found
  end

  def test_a_use_on_another_thread_or_of_another_path_is_not_the_use
    assert_equal(0, count(:check_then_use) do
      20.times do |i|
        %w[f g].each { |name| file "#{name}#{i}" }
        line 4, "exist?"
        stat "f#{i}"
        line 4, "read"
        read_file "g#{i}"
        thread(2) { line(4, "read") && read_file("f#{i}") }
      end
    end)
  end

  # The exist? is superfluous, but not twice: the mtime has to stay.
  def test_a_call_is_counted_once
    found = findings do
      20.times do |i|
        file "f#{i}"
        line 4, "exist?"
        stat "f#{i}"
        line 5, "mtime"
        stat "f#{i}"
        line 6, "read"
        read_file "f#{i}"
      end
    end
    assert_equal [[:redundant_call, 20]], found.map { |one| [one.kind, one.count] }
  end

  def test_a_check_before_a_use_that_is_asked_again_is_counted_once
    found = findings do
      file "f"
      20.times do
        line 4, "exist?"
        stat "f"
        line 4, "delete"
        unlink "f"
        file "f"
      end
    end
    assert_equal [[:check_then_use, 20]], found.map { |one| [one.kind, one.count] }
  end

  def test_a_check_that_repeats_one_before_is_counted_once
    found = findings do
      file "f"
      20.times { line(4, "exist?") && stat("f") && line(4, "open") && close(open("f")) }
    end
    assert_equal [[:check_then_use, 20]], found.map { |one| [one.kind, one.count] }
  end

  private

  def checks(hits:, misses:, fill: 7, &use)
    use ||= ->(name) { close open(name) }
    found = findings do
      (hits + misses).times do |i|
        file "f#{i}" if i < hits
        line(4, "exist?", fill: fill)
        stat "f#{i}"
        line 5, "open"
        instance_exec("f#{i}", &use) if i < hits
      end
    end
    assert_operator found.size, :<=, 1
    found.first
  end
end

# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/profile_case"

# redundant_call, repeated_realpath and freshness: what counts as a question that was answered.
class ProfileQuestionsTest < Frugal::TestCase
  include ProfileCase

  def test_the_finding
    found = finding do
      20.times { |i| file "f#{i}" }
      line 5, "mtime"
      20.times { |i| 3.times { stat "f#{i}" } }
    end
    assert_equal [:redundant_call, "/app/a.rb:5", 40, 0.0, nil], [found.kind, found.place, found.count, found.fail_rate, found.drop_in]
    assert_in_delta 40 * (1.0 + 1.0), found.saved_us, 1e-9, "the recorded microsecond, and Ruby's"
    assert_equal %w[/w/f0 /w/f1 /w/f2], found.examples
    assert_equal "40 of 60 calls (stat) repeat one whose answer was known: nothing had changed, " \
                 "and the thread had not waited", found.message
    assert_equal [:proven, nil], [found.proof, found.assumption]
  end

  def test_a_drop_in_is_named
    found = finding do
      file "f"
      line 17, "mtime", file: "/var/lib/gems/3.1.0/gems/rake-13.0.6/lib/rake/file_task.rb"
      20.times { stat "f" }
    end
    assert_equal :rake, found.drop_in
    assert_includes found.fix, 'require "frugal/rake"'
  end

  def test_the_current_directory
    found = finding do
      line 5, "expand_path"
      20.times { |i| getcwd && write_file("made#{i}", "x") }
    end
    assert_equal [:redundant_call, 19], [found.kind, found.count]
    assert_includes found.fix, "File.expand_path(path, base)"
    assert_equal(9, count(:redundant_call) { line(5, "expand_path") && 10.times { getcwd } })
    { entered: -> { call :chdir, "/w" }, by_descriptor: -> { call :fchdir, "/w" }, renamed: -> { call :rename, "/w", to: "/v" },
      renamed_above: -> { call :rename, "/", to: "/v" } }.each do |name, change|
      assert_equal(0, count(:redundant_call) { line(5) && 10.times { getcwd && instance_exec(&change) } }, name)
    end
    assert_equal(9, count(:redundant_call) { line(5) && 10.times { getcwd && call(:chdir, "/x", error: "ENOENT") } })
  end

  def test_each_change_ends_what_was_known
    changes = { write: -> { write_file "d/f", "x" }, append: -> { write_file "d/f", "x", "a" }, chmod: -> { chmod "d/f" },
                chmod_above: -> { chmod "d" }, utime: -> { utime "d/f" }, unlink: -> { unlink "d/f" }, rename: -> { rename "d/f", "g" },
                rename_above: -> { rename "d", "e" }, onto: -> { write_file("g", "x") && rename("g", "d/f") } }
    changes.each do |name, change|
      # What the change did is undone unseen, so that only the call tells of it.
      known = count(:redundant_call) do
        directory "d"
        file "d/f"
        line 3, "readable?"
        eaccess "d/f", 4
        line 4
        instance_exec(&change)
        secretly { directory("d") && file("d/f") }
        line 3, "readable?"
        2.times { eaccess "d/f", 4 }
      end
      assert_equal 1, known, name
    end
  end

  def test_a_new_or_lost_entry_changes_its_directory
    changes = { open: -> { write_file "d/new", "" }, mkdir: -> { mkdir "d/new" }, unlink: -> { unlink "d/f" },
                away: -> { rename "d/f", "g" }, into: -> { rename "g", "d/new" } }
    changes.each do |name, change|
      known = count(:redundant_call) do
        directory "d"
        %w[d/f g].each { |file| file file }
        line 3, "readable?"
        eaccess "d", 4
        line 4
        instance_exec(&change)
        line 3, "readable?"
        2.times { eaccess "d", 4 }
      end
      assert_equal 1, known, name
    end
  end

  def test_a_file_that_was_created_meanwhile
    assert_equal(0, count(:redundant_call) do
      line 3, "exist?"
      stat "f"
      write_file "f", "", "a"
      secretly { unlink "f" }
      stat "f"
    end)
  end

  def test_what_happens_elsewhere_changes_nothing
    known = count(:redundant_call) do
      %w[d e].each { |name| directory name }
      %w[d/f d/g e/f].each { |name| file name }
      line 3, "size"
      stat "d/f"
      line 4
      write_file "d/g", "x"
      write_file "d/new", "x"
      rename "e", "h"
      chmod "h/f"
      line 3, "size"
      stat "d/f"
    end
    assert_equal 1, known
  end

  def test_a_failed_change_changes_nothing
    assert_equal(1, count(:redundant_call) do
      line 3, "exist?"
      stat "d"
      call :mkdir, "d", error: "EACCES"
      stat "d"
    end)
  end

  # It began before the first question ended.
  def test_a_change_that_overlaps_the_first_question
    assert_equal(0, count(:redundant_call) do
      file "f"
      process(200) do
        line 9
        lasting 50_000
        call :write, "f", bytes: 1
        lasting 1_000
      end
      pause(-0.045)
      line 3, "readable?"
      2.times { eaccess "f", 4 }
    end)
  end

  # After a wait, a question is a check whether something has changed; a computation changes nothing outside.
  def test_only_a_wait_makes_an_answer_old
    [3, 8].each do |second_line|
      assert_equal [1, 0], repeated_after(second_line) { pause 60_000 }
      assert_equal [0, 1], repeated_after(second_line) { wait 0 }
      assert_equal [1, 0], repeated_after(second_line) { thread(2) { wait 5 } }
      assert_equal [1, 0], repeated_after(second_line) { process(200) { wait 5 } }
    end
  end

  def test_where_the_recorder_does_not_see_all_waits
    found = findings(waits: false) do
      file "f"
      line(3, "mtime") && 2.times { stat "f" }
      line(4, "read") && 2.times { read_file "f" }
      line(5, "realpath") && 2.times { realpath "f" }
      directory "d"
      line(6, "children") && 2.times { list "d" }
    end
    assert_equal %i[redundant_call redundant_call repeated_listing repeated_realpath], found.map(&:kind).sort
    assert_equal ["the thread has not waited in a way that this recorder does not see"], found.map { |one| one.assumption[/the thread.*/] }.uniq
  end

  def test_a_file_is_read_again_only_after_a_wait
    read_twice = ->(&between) { count(:redundant_call) { file("f") && line(3, "read") && read_file("f") && instance_eval(&between) && read_file("f") } }
    assert_equal [5, 0, 5], [read_twice.call { pause 60_000 }, read_twice.call { wait 0 }, read_twice.call { thread(2) { wait 5 } }]
  end

  def test_freshness
    checks = finding do
      %w[f g].each { |name| file name }
      line 3, "mtime"
      3.times { %w[f g].each { |name| stat(name) } && wait(2000) }
    end
    assert_equal [:freshness_check, "/app/a.rb:3", 4, 0.0, %w[/w/f /w/g]], [checks.kind, checks.place, checks.count, checks.saved_us, checks.examples]
    assert_equal "4 checks (stat) found nothing changed, in 2 rounds after a wait: 2 checks a round", checks.message
    refute_predicate checks, :waste?
  end

  def test_errors_that_differ
    assert_equal(0, count(:redundant_call) do
      line 3, "exist?"
      %w[ENOENT EACCES ENOENT].each { |error| call :stat, "f", error: error }
    end)
  end

  def test_an_unknown_result_proves_nothing
    assert_equal(0, count(:redundant_call) do
      line 3, "size"
      3.times { call :stat, "f", result: 0 }
    end)
  end

  def test_threads_are_told_apart_where_they_interleave
    found = finding do
      file "f"
      20.times do |i|
        file "g#{i}"
        thread(1) { line(3, "size") && stat("f") }
        thread(2) { line(3, "size") && stat("g#{i}") }
      end
    end
    assert_equal [19, %w[/w/f]], [found.count, found.examples]
  end

  def test_stat_answers_access_and_lstat_answers_stat
    assert_equal(1, count(:redundant_call) { file("f") && line(3) && stat("f") && access("f", 0) })
    assert_equal(0, count(:redundant_call) { file("f") && line(3) && stat("f") && access("f", 2) })
    assert_equal(1, count(:redundant_call) { file("f") && line(3) && lstat("f") && stat("f") })
    assert_equal(0, count(:redundant_call) { file("f") && line(3) && stat("f") && lstat("f") }, "it may be a link")
  end

  def test_programs_that_are_not_recorded
    unknown = lambda do |name, pid|
      count(:redundant_call) do
        file "f"
        line 3, "size"
        stat "f"
        call name, "/bin/x", bytes: pid
        process(200) { nil }
        stat "f"
      end
    end
    assert_equal [1, 0, 1, 0], [unknown[:fork, 200], unknown[:fork, 999], unknown[:spawn, 200], unknown[:spawn, 999]]
    assert_equal 1, unknown[:exec, 0], "a process of ours began after it"
  end

  def test_an_exec_that_fails_starts_nothing
    tries = lambda do |failure|
      count(:redundant_call) do
        file "f"
        line 3, "size"
        stat "f"
        call :exec, "/bin/x", error: ("ENOENT" if failure)
        stat "f"
      end
    end
    assert_equal [1, 0], [tries[true], tries[false]]
  end

  def test_realpaths_are_one_kind_with_all_that_they_call
    found = finding do
      file "f"
      line 3, "realpath"
      20.times { realpath("f") && stat("f") }
    end
    assert_equal [:repeated_realpath, 38], [found.kind, found.count]
  end

  def test_an_unchanged_file_is_read_again
    found = finding do
      file "f", "text"
      file "g", "text"
      line 3, "read"
      10.times { read_file "f" }
      read_file "g"
    end
    assert_equal [:redundant_call, 9 * 5], [found.kind, found.count]
    assert_equal "9 times the same bytes of an unchanged file are read again (45 calls): nothing had changed, " \
                 "and the thread had not waited", found.message
  end

  def test_a_file_that_changed_and_changed_back_is_read_again
    assert_equal(0, count(:redundant_call) do
      line 3
      %w[text other text].each do |content|
        write_file "f", content
        read_file "f" if content == "text"
      end
    end)
  end

  private

  # @return [Array(Integer, Integer)] superfluous calls, checks for freshness
  def repeated_after(second_line, &between)
    found = analyzer do
      file "f"
      line 3, "mtime"
      stat "f"
      instance_eval(&between)
      line second_line, "mtime"
      stat "f"
    end
    found.findings.partition(&:waste?).map { |some| some.sum(&:count) }
  end
end

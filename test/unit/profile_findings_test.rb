# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/profile_case"

# The edges of the kinds that are no question which was answered before.
class ProfileFindingsTest < Frugal::TestCase
  include ProfileCase

  # -- check_then_use

  # The break-even of the model: a check of 2 µs against an exception of 4 µs is 2 / (2 + 4).
  def test_few_misses_are_rescued
    found = checks(hits: 30, misses: 5)
    assert_equal [:check_then_use, "/app/a.rb:4", 30], [found.kind, found.place, found.count]
    assert_in_delta 5 / 35.0, found.fail_rate
    assert_in_delta (30 * 2.0) - (5 * 4.0), found.saved_us
    assert_equal "Drop the check and rescue Errno::ENOENT, or use Frugal.read(path), which returns nil for a miss.", found.fix
    assert_equal "30 of 35 checks (stat) are followed by openat of the same path within 1 µs; 14 % of the checks fail " \
                 "(break-even: 33 %), and the file may vanish in between", found.message
  end

  def test_many_misses_need_a_call_without_an_exception
    found = checks(hits: 30, misses: 70)
    assert_equal "Drop the check and use Frugal.read(path), which returns nil for a miss without an exception.", found.fix
    assert_in_delta 30 * 2.0, found.saved_us
    assert_predicate found, :shown?
  end

  def test_the_break_even_decides
    assert_includes checks(hits: 20, misses: 10).fix, "rescue"
    refute_includes checks(hits: 20, misses: 11).fix, "rescue"
  end

  def test_the_depth_of_the_stack_makes_exceptions_more_expensive
    assert_includes checks(hits: 30, misses: 5, fill: 7).fix, "rescue"
    refute_includes checks(hits: 30, misses: 5, fill: 110).fix, "rescue"
  end

  def test_without_such_a_call_the_check_is_right_where_many_miss
    found = checks(hits: 10, misses: 40) { |name| unlink name }
    refute_predicate found, :shown?
    assert_predicate checks(hits: 30, misses: 5) { |name| unlink name }, :shown?
  end

  def test_a_directory_that_is_made_unless_it_is_there
    found = finding { create(made: 30, present: 5) }
    assert_equal [:check_then_use, 30], [found.kind, found.count]
    assert_equal "Drop the check and rescue Errno::EEXIST.", found.fix
    assert_in_delta (30 * 2.0) - (5 * 4.0), found.saved_us
    refute_predicate finding { create(made: 10, present: 40) }, :shown?
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
    assert_equal [[:check_then_use, 20]], found.select(&:shown?).map { |one| [one.kind, one.count] }
  end

  # -- rescued_error

  def test_rescued_errors_name_who_rescues
    program = write("cache.rb", "def fetch(path)\n  File.open(path)\nrescue Errno::ENOENT\n  nil\nend\n")
    found = finding { 20.times { |i| line(2, "initialize", file: program) && open("f#{i}") && nil || raised(depth: 60) } }
    assert_equal [:rescued_error, "#{program}:2", 20, 1.0], [found.kind, found.place, found.count, found.fail_rate]
    assert_in_delta 20 * 9.0, found.saved_us
    assert_equal "20 exceptions (Errno::ENOENT) after openat, 60 frames deep, rescued at #{program}:3; 100 % of the calls fail",
                 found.message
    assert_equal "Use Frugal.read(path), which returns nil for a miss without an exception.", found.fix
  end

  def test_rare_errors_are_what_exceptions_are_for
    assert_predicate rescued(failing: 40, of: 100), :shown?
    refute_predicate rescued(failing: 30, of: 100), :shown?
  end

  def test_one_exception_is_no_finding
    refute_predicate rescued(failing: 3, of: 3), :shown?
  end

  def test_an_exception_is_linked_to_the_failure_of_its_thread_and_errno
    found = findings do
      20.times do |i|
        line 4
        open "f#{i}"
        thread(2) { line(5) && raised(error: "ENOENT") }
        raised(error: "EACCES")
      end
    end
    assert_empty found
  end

  def test_raised_again_is_no_second_failure
    found = finding do
      20.times do |i|
        line 4
        open "f#{i}"
        raised
        line 9
        raised
      end
    end
    assert_equal [19, 4], [found.count, found.line], "nobody is known to rescue it, so the last may have ended the thread"
  end

  def test_an_error_that_ends_each_process_is_no_waste
    assert_empty(findings { 20.times { |i| process(200 + i) { line(4) && open("f#{i}") && nil || raised } } })
  end

  # -- unlink_after_rename

  def test_an_unlink_after_a_rename_counts_its_exception
    found = finding { 10.times { |i| file("t#{i}") && line(4) && rename("t#{i}", "f#{i}") && line(5) && unlink("t#{i}") && raised } }
    assert_equal [:unlink_after_rename, 5, 10, 1.0], [found.kind, found.line, found.count, found.fail_rate]
    assert_in_delta 10 * (1.0 + 1.0 + 4.0), found.saved_us
    assert_equal "10 of 10 unlinks fail, because the file had just been renamed; 10 exceptions for it", found.message
  end

  def test_an_unlink_of_what_another_process_renamed
    assert_equal(10, count(:unlink_after_rename) do
      10.times { |i| file("t#{i}") && process(200) { line(4) && rename("t#{i}", "f#{i}") } && line(5) && unlink("t#{i}") }
    end)
  end

  # -- identical_rewrite

  def test_identical_rewrites
    found = finding { line(4) && 4.times { write_file "f", "text" } }
    assert_equal [:identical_rewrite, 9], [found.kind, found.count], "three times open, write, close"
    assert_equal "3 of 4 writes put the bytes into the file that it had (12 bytes, 9 calls): nothing else had changed it", found.message
  end

  def test_bytes_in_other_pieces_or_at_other_places_are_not_compared
    pieces = lambda do |parts, name = :write|
      count(:identical_rewrite) do
        line 4
        3.times do
          descriptor = open("f", "w")
          parts.inject("") { |kept, part| write(descriptor, part, kept: kept, name: name) && kept + part }
          close descriptor
        end
        write_file "f", "text"
      end
    end
    assert_equal [8, 0], [pieces[%w[te xt]], pieces[%w[text], :pwrite]]
  end

  def test_a_write_by_someone_else_during_the_session
    assert_equal(0, count(:identical_rewrite) do
      line 4
      write_file "f", "text"
      descriptor = open("f", "w")
      process(200) { call :write, "f", bytes: 1 }
      write descriptor, "text"
      close descriptor
    end)
  end

  def test_what_is_written_after_a_read_without_a_seek_is_appended
    append = lambda do |seeks|
      count(:identical_rewrite) do
        file "f", "text"
        line 4
        descriptor = open("f", "r+")
        read descriptor, "text"
        at_end descriptor
        seek descriptor if seeks
        write descriptor, "text"
        close descriptor
      end
    end
    assert_equal [6, 0], [append[true], append[false]]
  end

  def test_content_moves_with_a_rename
    moved = lambda do |last|
      count(:identical_rewrite) do
        line 4
        write_file "a", "text"
        rename "a", "b"
        write_file last, "text"
      end
    end
    assert_equal [3, 0], [moved["b"], moved["a"]]
  end

  # A copy of the descriptor was closed, or the process ended first.
  def test_files_that_were_never_closed
    assert_equal(4, count(:identical_rewrite) do
      line 4
      3.times do
        call :openat, "f", descriptor: 9, flags: File::WRONLY | File::CREAT | File::TRUNC
        call :write, "f", descriptor: 9, bytes: 4, result: 99
      end
    end)
  end

  # -- serial_walk

  def test_a_walk
    found = finding do
      directory "t"
      300.times do |i|
        directory "t/#{i}"
        line 4, "children"
        list "t" if i.zero?
        line 5, "lstat"
        lstat "t/#{i}"
        line 4, "children"
        list "t/#{i}"
      end
    end
    assert_equal [:serial_walk, 4, (300 * 4) + 3], [found.kind, found.line, found.count]
    assert_equal "one thread lists 301 directories, one after the other, and asks 300 times for the type of an entry", found.message
    assert_nil found.drop_in
  end

  # What is asked again has nothing to do with the walk.
  def test_a_walk_asks_once_for_a_type
    found = findings do
      walk(250)
      line 4, "exist?"
      3.times { 250.times { |i| stat "t/#{i}" } }
    end
    counts = found.to_h { |one| [one.kind, one.count] }
    assert_equal 500, counts.fetch(:redundant_call)
    assert_equal counts.fetch(:serial_walk), finding { walk(250) }.count + 250
  end

  def test_a_small_walk_is_not_shown
    shown = [150, 250].map { |size| finding { walk(size) }.shown? }
    assert_equal [false, true], shown
  end

  def test_drop_ins_of_walks
    files = { "/usr/lib/ruby/3.1.0/find.rb" => :find, "/gems/fileutils-1.7.0/lib/fileutils.rb" => :fileutils, "/app/find.rb" => nil }
    files.each { |file, name| assert_equal [name], [finding { walk(250, file: file) }.drop_in], file }
    assert_equal :dir, finding { walk(250, inner: "glob") }.drop_in
  end

  # -- load_path_misses

  def test_load_path_misses_are_one_finding_for_a_program
    found = finding do
      1500.times do |i|
        line nil, "require", file: nil, outer: [["<internal:/x/rubygems/core_ext/kernel_require.rb>", 85, "require"],
                                                ["/gems/bundler-2.3/lib/bundler/x.rb", 1, "y"], ["/app/boot.rb", i % 3, "<main>"]]
        open "lib/#{i}.rb"
      end
      process(200) { line(nil, "require", file: nil, outer: [["/app/boot.rb", 1, "<main>"]]) && open("lib/x.rb") }
      file "found"
      line nil, "load", file: nil, outer: [["/app/boot.rb", 1, "<main>"]]
      open "found"
    end
    assert_equal [:load_path_misses, 1501, 1], [found.kind, found.count, found.line]
    assert_in_delta 1501 / 1502.0, found.fail_rate
    assert_includes found.fix, "bootsnap"
    assert_equal "1,501 of 1,502 questions of require miss, from 3 lines; 501 of them from /app/boot.rb:1", found.message
  end

  def test_what_a_required_file_does_itself_is_not_requires
    assert_equal(0, count(:load_path_misses) do
      1500.times { |i| line(3, "exist?", outer: [[nil, nil, "require"], ["/app/boot.rb", 1, "<main>"]]) && stat("f#{i}") }
    end)
    assert_equal(0, count(:load_path_misses) do
      1500.times { |i| line(3, "open", label: "load") && open("f#{i}") }
    end)
  end

  # -- tiny_reads

  def test_tiny_reads
    found = finding { tiny(reads: 50) }
    assert_equal [:tiny_reads, 49], [found.kind, found.count]
    assert_equal "50 reads of 8 bytes on average, where 1 file could be read at once", found.message
  end

  def test_reads_that_cannot_be_one
    assert_equal([49, 0, 0, 0, 0, 0], [
                   count(:tiny_reads) { tiny(reads: 50) }, count(:tiny_reads) { tiny(reads: 15) },
                   count(:tiny_reads) { tiny(reads: 50, content: "") }, count(:tiny_reads) { tiny(reads: 50, content: "x" * 1_100_000) },
                   count(:tiny_reads) { tiny(reads: 50, milliseconds: 2) }, count(:tiny_reads) { tiny(reads: 50, piece: "x" * 65) }
                 ])
    assert_equal(0, count(:tiny_reads) { tiny(reads: 50, path: "/dev/urandom") })
  end

  # -- needless_digest, dropped_backtrace

  def test_digests
    found = finding { digests(10) }
    assert_equal [:needless_digest, 9, 9.0], [found.kind, found.count, found.saved_us]
    assert_empty(findings { digests(10) { |i| line(9) && write_file("log#{i}", "x") } })
    assert_empty(findings { digests(10, milliseconds: 1100) })
    assert_equal :pstore, finding { digests(10, file: "/usr/lib/ruby/3.1.0/pstore.rb") }.drop_in
  end

  def test_backtraces
    found = finding { backtraces(10, bytes: 300) }
    assert_equal [:dropped_backtrace, 10], [found.kind, found.count]
    assert_predicate found, :shown?
    assert_empty(findings { backtraces(10, bytes: 1000) })
  end

  # -- all of them

  def test_findings_are_sorted_by_what_they_save
    found = findings do
      file "f"
      line 3, "mtime"
      20.times { stat "f" }
      line 4
      20.times { |i| open("f#{i}") || raised(depth: 110) }
    end
    assert_equal %i[rescued_error redundant_call], found.map(&:kind)
    assert_equal found.map(&:saved_us).sort.reverse, found.map(&:saved_us)
  end

  def test_an_empty_recording
    assert_equal [[], []], [analyzer { nil }.findings, analyzer { nil }.freshness]
  end

  def test_odd_events_do_no_harm
    found = findings do
      line 3
      call :open, nil
      call :read, nil, descriptor: 99
      call :close, "x", descriptor: 99
      call :rename, "x"
      call :stat, "/", result: 1
      call :stat, "/w/\xFF\xFE".b, result: 1
      call :fork, bytes: 0, error: "EAGAIN"
      call :unheard_of, "x"
      raised error: nil, class_name: "KeyError"
    end
    assert_empty found
  end

  private

  def checks(hits:, misses:, fill: 7, &use)
    use ||= ->(name) { close open(name) }
    finding do
      (hits + misses).times do |i|
        file "f#{i}" if i < hits
        line(4, "exist?", fill: fill)
        stat "f#{i}"
        line 5, "open"
        instance_exec("f#{i}", &use) if i < hits
      end
    end
  end

  def rescued(failing:, of:)
    finding do
      line 4
      of.times do |i|
        file "f#{i}" if i >= failing
        open("f#{i}") ? nil : raised
      end
    end
  end
end

# More words for the programs of these tests.
class RecordingBuilder
  def create(made:, present:)
    (made + present).times do |i|
      directory "d#{i}" if i < present
      line 4, "exist?", fill: 7
      stat "d#{i}"
      line 4, "mkdir"
      mkdir "d#{i}" if i >= present
    end
  end

  def walk(size, inner: "children", **place)
    size.times do |i|
      directory(i.zero? ? "t" : "t/#{i}")
      line(4, inner, **place)
      list(i.zero? ? "t" : "t/#{i}")
    end
  end

  def tiny(reads:, path: "f", content: "x" * 400, piece: nil, milliseconds: 0)
    file path, content
    line 4, "sysread"
    descriptor = open(path)
    fstat descriptor
    reads.times { |i| pause(milliseconds) && read(descriptor, piece || format("%08d", i)) }
    close descriptor
  end

  def digests(times, milliseconds: 0, **place)
    times.times do |i|
      line(4, "digest", **place)
      call :digest, bytes: 5, result: 77
      pause milliseconds
      yield i if block_given?
    end
  end

  def backtraces(times, bytes:, path: nil)
    times.times do
      line 4, "backtrace"
      call :backtrace, bytes: 40
      line 5
      call :write, path, bytes: bytes
    end
  end
end

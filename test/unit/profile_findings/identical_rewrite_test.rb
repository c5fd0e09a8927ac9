# frozen_string_literal: true

require_relative "../../test_helper"
require_relative "../../support/profile_case"

class IdenticalRewriteTest < Frugal::TestCase
  include ProfileCase

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
end

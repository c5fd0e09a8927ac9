# frozen_string_literal: true

require_relative "../test_helper"
require "frugal/fileutils"

# The system calls of FileUtils under the drop-in: exactly its Cost lines.
class FileutilsCostTest < Frugal::TestCase
  LISTING = %w[getdents getdents].freeze
  COPY = %w[open fstat open copy_file_range close close].freeze

  def setup
    on = Frugal::Dropin.status.any? { |one| one.name == :fileutils && one.state == :on }
    skip "the drop-in stands aside here" unless on
  end

  def test_mkdir_p_of_an_existing_directory
    mkdir("a/b")
    assert_cost(syscalls: %w[stat], exceptions: 0) { FileUtils.mkdir_p(path("a/b")) }
  end

  # Stock also calls `stat` up to the first existing directory.
  def test_mkdir_p_of_new_directories
    assert_cost(syscalls: %w[stat mkdir], exceptions: 0) { FileUtils.mkdir_p(path("a")) }
    assert_cost(syscalls: ["stat", *(["mkdir"] * 5)], exceptions: 0) { FileUtils.mkdir_p(path("b/c/d")) }
    assert_cost(syscalls: %w[stat mkdir chmod], exceptions: 0) { FileUtils.mkdir_p(path("c"), mode: 0o700) }
  end

  # Stock needs three calls and three exceptions; for rm_f one of each.
  def test_removal_of_a_missing_path
    assert_cost(syscalls: %w[unlinkat], exceptions: 0) { FileUtils.rm_rf(path("missing")) }
    assert_cost(syscalls: %w[unlink], exceptions: 0) { FileUtils.rm_f(path("missing")) }
    assert_cost(syscalls: %w[unlinkat], exceptions: 0) { FileUtils.remove_entry(path("missing/one"), true) }
    write("file")
    assert_cost(syscalls: %w[unlinkat lstat], exceptions: 0) { FileUtils.rm_rf(path("file/one")) }
  end

  def test_removal_of_a_file
    write("file")
    assert_cost(syscalls: %w[unlinkat], exceptions: 0) { FileUtils.rm_rf(path("file")) }
  end

  # Stock also calls `lstat` for each path, and `fstat` and `lseek` for each directory.
  def test_removal_of_a_tree
    3.times { |i| 5.times { |k| write("t/#{i}/#{k}") } }
    inner = ["open", *LISTING, *(["unlinkat"] * 5), "close", "unlinkat"]
    expected = ["unlinkat", "open", *LISTING, *(inner * 3), "close", "unlinkat"]
    assert_cost(syscalls: expected, exceptions: 0) { FileUtils.rm_rf(path("t")) }
  end

  # In a tree of a thousand files, each file costs the same number of calls, and nothing else grows.
  def test_a_thousand_files
    20.times { |i| 50.times { |k| write("t/#{i}/#{k}", "content") } }
    assert_cost(syscalls: 6_000 + 21 * 7,
                only: /\A(open|fstat|copy_file_range|close|mkdirat|getdents)\z/, exceptions: 0) do
      FileUtils.cp_r(path("t"), path("u"))
    end
    assert_cost(syscalls: 1_000 + 21 * 5 + 1, exceptions: 0) { FileUtils.rm_rf(path("t")) }
  end

  # Stock needs 12 calls for a file. FileUtils' own calls come first: they check that the directory
  # exists and is not the same file, and find its real path.
  def test_a_copy
    write("t/file", "content")
    write("t/empty")
    symlink("nothing", "t/link")
    bill = measure_cost { FileUtils.cp_r(path("t"), path("u")) }
    assert_empty bill.exceptions
    calls = bill.syscalls.drop(bill.syscalls.index("mkdirat") - 1)
    assert_equal %w[open mkdirat open getdents getdents], calls.first(5)
    assert_equal [*COPY, "open", "fstat", "read", "open", "close", "close", "readlinkat", "symlinkat"].tally,
                 calls.drop(5)[0...-2].tally
    assert_equal %w[close close], calls.last(2)
  end

  # Two more calls for each file, because an existing destination may be a pipe.
  def test_a_copy_over_a_copy
    write("t/file", "content")
    mkdir("u")
    assert_cost(syscalls: 1, only: /\Afstat\z/, exceptions: 0) { FileUtils.copy_entry(path("t"), path("u")) }
    calls = %w[lstat open mkdirat open getdents getdents open fstat stat open copy_file_range close close close close]
    assert_cost(syscalls: calls, exceptions: 0) do
      FileUtils.copy_entry(path("t"), path("u"))
    end
  end
end

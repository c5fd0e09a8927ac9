# frozen_string_literal: true

require_relative "../test_helper"
require "frugal/entries"

# The system calls of entries. The counts are those of the C engine; the pure one makes some more.
class EntriesCostTest < Frugal::TestCase
  KEY = Frugal::Entries.digest("key")

  def setup
    skip "the pure engine makes more calls" unless Frugal::Native.engine_name == :c

    @entries = Frugal::Entries.new(path("entries"))
    @entries.update(KEY) { |handle| handle.write("x" * 200) }
  end

  def test_read
    assert_cost(syscalls: %w[open pread close], exceptions: 0) { @entries.read(KEY) }
    assert_cost(syscalls: %w[open], exceptions: 0) { @entries.read(Frugal::Entries.digest("missing")) }
  end

  def test_read_of_larger_entries
    { 7000 => %w[open pread close], 100_000 => %w[open pread fstat pread close] }.each do |size, calls|
      @entries.update(KEY) { |handle| handle.write("x" * size) }
      assert_cost(syscalls: calls, exceptions: 0) { @entries.read(KEY) }
    end
  end

  # A process was killed while it wrote: what stays the same is read twice, without the lock.
  def test_a_torn_write
    @entries.update(KEY) { |handle| handle.write("y" * 200) }
    @entries.update(KEY) { |handle| handle.write("z" * 200) }
    File.open(@entries.path(KEY), "r+b") { |file| file.pwrite("?", Frugal::Entries::Format::HEAD + 100) }
    assert_cost(syscalls: %w[open pread pread close], exceptions: 0) { @entries.read(KEY) }
    assert_cost(syscalls: %w[open fstat pread fstat pread close], exceptions: 0) do
      handle = @entries.open(KEY)
      handle.load
      handle.close
    end
    assert_equal "y" * 200, @entries.read(KEY).bytes
  end

  def test_update
    assert_cost(syscalls: %w[open flock fstat pread pwrite close], exceptions: 0) do
      @entries.update(KEY) { |handle| handle.write("y" * 200) }
    end
  end

  def test_a_first_write_into_a_partition_that_is_there
    digest = KEY[0, 2] + ("a" * 62)
    assert_cost(syscalls: %w[open flock fstat pwrite close], exceptions: 0) { @entries.update(digest) { |handle| handle.write("y") } }
  end

  def test_a_handle_that_is_loaded_and_changed
    assert_cost(syscalls: %w[open fcntl fstat pread flock pread pwrite close], exceptions: 0) do
      handle = @entries.open(KEY)
      handle.take_turn(1)
      handle.load
      handle.change(1, close: true) { handle.write("y" * 200) }
    end
  end

  def test_an_update_that_replaces_the_file
    assert_cost(syscalls: %w[open flock fstat pread open pwrite flock pwrite rename close close], exceptions: 0) do
      @entries.update(KEY) { |handle| handle.write("y" * 5000) }
    end
  end

  def test_no_directory_is_listed
    assert_cost(syscalls: 0, only: /getdents/) do
      50.times { |n| @entries.update(Frugal::Entries.digest(n.to_s)) { |handle| handle.write("y") } }
      50.times { |n| @entries.delete(Frugal::Entries.digest(n.to_s)) }
    end
  end
end

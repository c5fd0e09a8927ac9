# frozen_string_literal: true

require_relative "../test_helper"

# The exact system calls of the C engine's entries, children, readlink and read, as in their Cost lines.
class NativeCostTest < Frugal::TestCase
  Native = Frugal::Native.engine

  def test_entries
    assert_cost(syscalls: %w[open getdents getdents close], exceptions: 0) { Native.entries(tree) }
  end

  def test_children
    assert_cost(syscalls: %w[open getdents getdents close], exceptions: 0) { Native.children(tree) }
  end

  def test_readlink_makes_more_calls_only_for_a_long_target
    { 1023 => 1, 1024 => 2, 2047 => 2, 2048 => 3 }.each do |size, calls|
      link = symlink("x/" * (size / 2) + "x" * (size % 2), "link#{size}")
      assert_cost(syscalls: ["readlink"] * calls, exceptions: 0) { Native.readlink(link) }
    end
  end

  def test_readlink_of_a_directory
    assert_cost(syscalls: %w[readlink], exceptions: 1) do
      Native.readlink(tree)
    rescue Errno::EINVAL
      nil
    end
  end

  def test_read
    ["", "x", "x" * 5000, "x" * 1_000_000].each do |content|
      file = write("a", content)
      assert_cost(syscalls: %w[open fstat read close], exceptions: 0) { Native.read(file) }
    end
  end

  def test_read_of_a_file_that_reports_no_size
    assert_cost(syscalls: %w[open fstat read read close], exceptions: 0) { Native.read("/proc/self/stat") }
  end

  def test_a_fault_closes_the_descriptor
    assert_cost(syscalls: %w[open fstat read close], exceptions: 1) do
      Native.read(tree)
    rescue Errno::EISDIR
      nil
    end
  end
end

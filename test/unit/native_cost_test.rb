# frozen_string_literal: true

require_relative "../test_helper"

# What only the C engine can do: the Cost lines of entries and read, to the call.
class NativeCostTest < Frugal::TestCase
  Native = Frugal::Native.engine

  def test_entries
    assert_cost(syscalls: %w[open getdents getdents close], exceptions: 0) { Native.entries(tree) }
  end

  def test_read
    ["", "x", "x" * 5000, "x" * 1_000_000].each do |content|
      file = write("a", content)
      assert_cost(syscalls: %w[open fstat read close], exceptions: 0) { Native.read(file) }
    end
  end

  def test_read_of_what_has_no_size
    assert_cost(syscalls: %w[open fstat read read close], exceptions: 0) { Native.read("/proc/self/stat") }
  end

  def test_a_fault_closes_what_it_opened
    assert_cost(syscalls: %w[open fstat read close], exceptions: 1) do
      Native.read(tree)
    rescue Errno::EISDIR
      nil
    end
  end
end

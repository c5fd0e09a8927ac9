# frozen_string_literal: true

require_relative "../test_helper"

# Counts the system calls in the Cost lines of Frugal::Probe. For a hit the pure engine
# makes the calls of File and Dir; for a miss it makes one call, and rescues one exception.
class ProbeCostTest < Frugal::TestCase
  EXCEPTIONS = Frugal::Native.engine_name == :c ? 0 : 1

  def test_mtime_is_one_call
    file = write("a")
    assert_cost(syscalls: %w[stat], exceptions: 0) { Frugal.mtime(file) }
  end

  def test_size_stat_and_exist_are_one_call
    file = write("a")
    assert_cost(syscalls: %w[stat], exceptions: 0) { Frugal.size(file) }
    assert_cost(syscalls: %w[stat], exceptions: 0) { Frugal.stat(file) }
    assert_cost(syscalls: %w[stat], exceptions: 0) { Frugal.exist?(file) }
  end

  def test_type_is_one_call
    file = write("a")
    assert_cost(syscalls: %w[lstat], exceptions: 0) { Frugal.type(file) }
  end

  def test_readlink_is_one_call
    link = symlink("nowhere", "link")
    assert_cost(syscalls: %w[readlink], exceptions: 0) { Frugal.readlink(link) }
  end

  def test_a_miss_is_one_call
    file = write("file")
    [path("missing"), "#{file}/below"].each do |missing|
      assert_cost(syscalls: %w[stat], exceptions: EXCEPTIONS) { Frugal.mtime(missing) }
      assert_cost(syscalls: %w[stat], exceptions: EXCEPTIONS) { Frugal.size(missing) }
      assert_cost(syscalls: %w[stat], exceptions: EXCEPTIONS) { Frugal.stat(missing) }
      assert_cost(syscalls: %w[lstat], exceptions: EXCEPTIONS) { Frugal.type(missing) }
      assert_cost(syscalls: %w[readlink], exceptions: EXCEPTIONS) { Frugal.readlink(missing) }
      assert_cost(syscalls: %w[open], exceptions: EXCEPTIONS) { Frugal.entries(missing) }
      assert_cost(syscalls: %w[open], exceptions: EXCEPTIONS) { Frugal.children(missing) }
      assert_cost(syscalls: %w[open], exceptions: EXCEPTIONS) { Frugal.read(missing) }
    end
  end

  def test_exist_never_raises
    file = write("file")
    File.symlink("loop", path("loop"))
    [path("missing"), "#{file}/below", path("loop"), path("n" * 256)].each do |missing|
      assert_cost(syscalls: %w[stat], exceptions: 0) { Frugal.exist?(missing) }
    end
  end

  def test_a_batch_is_one_call_per_path
    paths = [write("a"), path("missing"), write("b")] * 700 # enough for more than one thread
    assert_cost(syscalls: ["stat"] * 2100, exceptions: EXCEPTIONS * 700) { Frugal.mtimes(paths) }
    assert_cost(syscalls: ["stat"] * 2100, exceptions: EXCEPTIONS * 700) { Frugal.stats(paths) }
  end

  def test_an_invalid_path_costs_no_call
    %i[mtimes stats].each do |batch|
      assert_cost(syscalls: 0) do
        Frugal.public_send(batch, ["a", nil])
      rescue TypeError
        nil
      end
    end
  end
end

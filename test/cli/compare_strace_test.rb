# frozen_string_literal: true

require_relative "../test_helper"
require "json"
require "frugal/compare"
require_relative "../../bench/support/system_calls"

# The counts of `frugal compare` against those of `strace -f -c`, on both sides. What Ruby's start, libc and the loader
# do is the same for a small and a larger tree; what a larger tree adds must be equal in both. It has no more directories:
# opendir(3) makes two calls, and readdir(3) some.
class CompareStraceTest < Frugal::TestCase
  EXE = File.join(ROOT, "exe/frugal")
  SIDES = %i[stock frugal].freeze
  # Where a function of libc makes one system call: those, and the functions.
  FAMILIES = {
    stat: [%w[newfstatat stat lstat fstat statx], %w[stat lstat fstat fstatat statx]],
    open: [%w[open openat openat2], %w[open openat fopen opendir]],
    close: [%w[close], %w[close closedir fclose]],
    read: [%w[read pread64 readv], %w[read pread readv]],
    write: [%w[write pwrite64 writev], %w[write pwrite writev]],
    copy: [%w[copy_file_range sendfile], %w[copy_file_range sendfile]],
    link: [%w[readlink readlinkat symlink symlinkat], %w[readlink symlink]],
    make: [%w[mkdir mkdirat], %w[mkdir]],
    remove: [%w[unlink unlinkat rmdir], %w[unlink rmdir]],
    change: [%w[rename renameat chmod fchmod fchmodat utimensat], %w[rename chmod fchmod utime]],
    exec: [%w[execve], %w[exec]]
  }.freeze
  PROGRAM = <<~'RUBY'
    Find.find("tree") { |path| File.mtime(path) }
    Dir["tree/*/*"].each { |path| File.read(path) if File.file?(path) }
    FileUtils.cp_r("tree", "copy")
    Dir.children("copy/d").each { |name| File.rename("copy/d/#{name}", "copy/#{name}"); File.write("copy/#{name}", "x") }
    FileUtils.rm_rf("copy")
    FileUtils.cp_r("tree", "copy") # the first one was stock's: it has shown that there is work
    FileUtils.rm_rf("copy")
    FileUtils.mkdir_p(names = Dir.children("tree/d").map { |name| "copy/#{name}" })
    [*names, "copy"].each { |name| Dir.rmdir(name) }
  RUBY
  COMMAND = ["ruby", "-rfind", "-rfileutils", "-e", PROGRAM].freeze

  def setup
    skip "strace is not available" unless Cost::Strace.available?
    skip "the recorder needs MRI on a 64-bit Linux" unless Frugal::Profile::Run.supported?
  end

  def test_what_a_larger_tree_adds_is_what_strace_counts
    few, many = [10, 40].map do |files|
      files.times { |index| write("tree/d/#{index}", "content") }
      [counted, traced]
    end
    SIDES.each do |side|
      recorded, by_strace = many.zip(few).map { |larger, smaller| increase(larger[side], smaller[side]) }
      assert_equal by_strace, recorded, "#{side}: strace, frugal compare"
    end
    assert_operator many.first[:stock].sum(&:last), :>, many.first[:frugal].sum(&:last) + 100
  end

  private

  # @return [Hash{Symbol => Hash}] side → family → calls, by frugal compare
  def counted
    result = run_command(RUBY, EXE, "compare", "-n", "1", "--warmup", "0", "--json", "-", "--", *COMMAND, chdir: tree)
    calls = JSON.parse(result.out)["file_calls"]
    SIDES.to_h do |side|
      [side, by_family(1) { |name| calls[side.to_s]["kinds"].dig(name, "calls").to_i }]
    end
  end

  # @return [Hash{Symbol => Hash}] the same, by strace
  def traced
    SIDES.to_h do |side|
      table = path("#{side}.table")
      run_command("strace", "-f", "-c", "-o", table, "--", *Frugal::Compare::Side.public_send(side, COMMAND).argv, chdir: tree)
      calls = Frugal::Bench::SystemCalls.parse(File.read(table))
      [side, by_family(0) { |name| calls[name].calls }]
    end
  end

  def by_family(names) = FAMILIES.transform_values { |family| family[names].sum { |name| yield(name) } }

  def increase(larger, smaller) = larger.to_h { |family, calls| [family, calls - smaller[family]] }
end

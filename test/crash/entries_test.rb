# frozen_string_literal: true

require_relative "../test_helper"
require_relative "traced_fork"
require_relative "fault"
require "frugal/entries"

# A process is killed before each system call of a change, and each call fails once: the entry is the old or the new one, and the
# next process can change it.
class EntriesCrashTest < Frugal::TestCase
  Entries = Frugal::Entries
  KEY = Entries.digest("key")
  CALLS = "openat,flock,fcntl,newfstatat,fstat,pread64,pwrite64,close,rename,unlink,mkdir,sendto"
  SIZES = { "a first write" => [nil, 100], "in the slot" => [100, 120], "a larger file" => [100, 5000], "two blocks" => [5000, 5100],
            "one slot" => [5000, 80_000], "a smaller file" => [80_000, 10], "a deletion" => [100, nil] }.freeze

  SIZES.each do |name, (old, new)|
    define_method("test_#{name}") do
      skip "needs fork and strace" unless Safety::TracedFork.available?

      faults = Safety::Fault.list(change(old, new, "trace=#{CALLS}").trace, tree)
      assert_operator faults.count(&:kill?), :>=, 5
      faults.each { |fault| check(fault, old, new) }
    end
  end

  private

  def check(fault, old, new)
    outcome = change(old, new, "inject=#{fault.injection}", "trace=#{CALLS}")
    found = @entries.read(KEY)&.bytes&.bytesize
    assert_includes [old, new], found, fault
    assert_equal [new], [found], fault if outcome.messages.include?("ended well")
    assert_equal [old], [found], fault if outcome.messages.include?("ended badly") && !late?(fault)
    @entries.update(KEY) { |handle| handle.write("next") }
    assert_equal "next", @entries.read(KEY).bytes, fault
    assert_includes [%w[1], %w[1 new]], leftovers, fault
  end

  # A failure of these is one of the clean-up, after the change.
  def late?(fault) = %w[close unlink].include?(fault.name)

  def leftovers = Dir.children(File.dirname(@entries.path(KEY))).map { |name| name.end_with?(".new") ? "new" : "1" }.sort

  def change(old, new, *options)
    FileUtils.rm_rf(path("entries"))
    @entries = Entries.new(path("entries"))
    @entries.update(KEY) { |handle| handle.write("o" * old) } if old
    Safety::TracedFork.new(["-xx", *options.flat_map { |option| ["-e", option] }]).call do |say|
      say.call("begin")
      begin
        new ? @entries.update(KEY) { |handle| handle.write("n" * new) } : @entries.delete(KEY)
        say.call("ended well")
      rescue SystemCallError
        say.call("ended badly")
      end
    end
  end
end

# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../crash/traced_fork"
require_relative "../support/lock_wait"
require "frugal/cache"

# The files of a cache, without ActiveSupport.
class CacheDirectoryTest < Frugal::TestCase
  include LockWait

  Directory = Frugal::Cache::Directory
  Entries = Frugal::Entries
  SECRET = "s" * 32
  HOSTILE = ["../../etc/passwd", "/etc/passwd", "a\0b", "\xFF\xFE", "ü", "x" * 10_000, " ", "\n", "..", "%00", "a".encode("UTF-16LE")].freeze

  def setup
    @cache = Directory.new(path("cache"))
  end

  def test_a_miss_makes_nothing
    assert_nil @cache.read("key")
    assert_equal [false, false], [@cache.delete("key"), @cache.delete_expired("key")]
    assert_equal [0, 0, 0], [@cache.size, @cache.cleanup, @cache.delete_if { true }]
    assert_nil @cache.clear
    refute_path_exists path("cache")
  end

  def test_write_and_read
    assert_equal true, @cache.write("key", "value\0")
    assert_equal ["value\0", Encoding::BINARY], [@cache.read("key"), @cache.read("key").encoding]
    assert_equal true, @cache.write("key", "")
    assert_equal "", @cache.read("key")
    assert_equal [0o600, 0o700], [file("key"), File.dirname(file("key"))].map { |name| File.stat(name).mode & 0o777 }
    assert_equal true, @cache.delete("key")
    assert_nil @cache.read("key")
    assert_raises(ArgumentError) { @cache.write("key", nil) }
  end

  def test_hostile_keys
    assert(HOSTILE.all? { |key| @cache.write(key, key.b) })
    assert_equal(HOSTILE.map(&:b), HOSTILE.map { |key| @cache.read(key) })
    assert_equal [path("cache")], Dir.glob("#{tree}/*")
    assert_equal HOSTILE.size, Dir.glob("#{tree}/cache/??/*").grep(%r{/\h{2}/\h{62}\z}).size
    assert_equal(HOSTILE.size, @cache.delete_if { |key| HOSTILE.map(&:b).include?(key.b) })
  end

  def test_expired_entries
    now = Time.now.to_f
    @cache.write("old", "1", expires_at: now - 1)
    @cache.write("new", "2", expires_at: now + 60)
    @cache.write("ever", "3", expires_at: Float::INFINITY)
    assert_equal %w[1 2 3], %w[old new ever].map { |key| @cache.read(key) }
    assert_equal([true, false, false], %w[old new ever].map { |key| @cache.delete_expired(key) })
    @cache.write("old", "1", expires_at: now - 1)
    assert_equal 1, @cache.cleanup
    assert_equal [nil, "2", "3"], %w[old new ever].map { |key| @cache.read(key) }
  end

  def test_conditional_writes
    past = Time.now.to_f - 1
    assert_equal false, @cache.write("key", "1", only: :expired)
    assert_equal true, @cache.write("key", "1", only: :absent, expires_at: past)
    assert_equal true, @cache.write("key", "2", only: :expired)
    assert_equal [false, false], [@cache.write("key", "3", only: :expired), @cache.write("key", "3", only: :absent)]
    assert_equal "2", @cache.read("key")
    @cache.write("key", "2", expires_at: past)
    assert_equal [true, "3"], [@cache.write("key", "3", only: :absent), @cache.read("key")]
  end

  def test_update
    assert_equal(true, @cache.update("key") { |payload| [payload.inspect, nil] })
    assert_equal(true, @cache.update("key") { |payload| ["#{payload}!", nil] })
    assert_equal "nil!", @cache.read("key")
  end

  # The name of the file, the first bytes of its head and the checksum are those of another key.
  def test_a_file_of_another_key
    @cache.write("one", "of one")
    @cache.write("two", "of two")
    FileUtils.cp(file("one"), file("two"))
    assert_nil @cache.read("two")
    Entries.new(path("cache")).update(Entries.digest("two")) { |handle| handle.write([3, "one", "x"].pack("L<a*a*")) }
    assert_nil @cache.read("two")
    assert_equal true, @cache.write("two", "again", only: :absent)
    assert_equal "again", @cache.read("two")
  end

  def test_damaged_files_are_misses
    @cache.write("key", "value" * 20)
    whole = File.binread(file("key"))
    (whole.bytesize.times.map { |size| whole[0, size] } + [whole.sub("value", "VALUE"), Marshal.dump(1), "x" * 100_000, "\0" * 5000])
      .each do |content|
        File.binwrite(file("key"), content)
        assert_nil @cache.read("key")
      end
    assert_equal 0, @cache.delete_if { true }
    assert_equal true, @cache.write("key", "new")
    assert_equal "new", @cache.read("key")
    File.open(file("key"), "r+") { |io| io.seek(2**40) && io.write("x") } # sparse; File.truncate of JRuby takes an int
    assert_equal [true, "newer"], [@cache.write("key", "newer"), @cache.read("key")]
  end

  def test_what_is_no_file_is_replaced
    { directory: -> { Dir.mkdir(file("key")) }, link: -> { File.symlink("/etc/passwd", file("key")) },
      loop: -> { File.symlink(file("key"), file("key")) }, fifo: -> { File.mkfifo(file("key")) } }.each do |name, place|
      next if name == :fifo && RUBY_ENGINE != "ruby" # opening it waits there

      @cache.write("key", "value")
      File.unlink(file("key"))
      place.call
      assert_nil @cache.read("key"), name
      assert_equal [true, "value"], [@cache.write("key", "value"), @cache.read("key")], name
    end
    assert_path_exists "/etc/passwd"
  end

  def test_an_unreadable_file_is_a_miss_and_is_replaced
    @cache.write("key", "value")
    File.chmod(0, file("key"))
    File.chmod(0o777, tree, path("cache"), File.dirname(file("key")))
    as_nobody do
      assert_nil @cache.read("key")
      assert_equal [true, "mine"], [@cache.write("key", "mine"), @cache.read("key")]
    end
  end

  def test_a_directory_that_may_only_be_read
    @cache.write("key", "value")
    folders = tree, path("cache"), File.dirname(file("key"))
    File.chmod(0o444, file("key"))
    File.chmod(0o555, *folders)
    as_nobody do
      assert_equal "value", @cache.read("key")
      assert_raises(Errno::EACCES) { @cache.write("key", "other") }
      assert_raises(Errno::EACCES) { @cache.write("other", "other") }
    end
    assert_equal "value", @cache.read("key")
  ensure
    File.chmod(0o755, *folders)
  end

  def test_entries_that_are_too_large
    cache = Directory.new(path("cache"), largest: 1000)
    assert_equal [true, false], [cache.write("key", "x" * 1000), cache.write("key", "x" * 1001)]
    assert_nil cache.read("key"), "the outdated value is deleted"
  end

  def test_sizes
    [0, 1, 2000, 4000, 16_300, 16_400, 65_000, 70_000, 1_000_000, 5].each do |size|
      @cache.write("key", bytes = Random.bytes(size))
      assert_equal bytes, @cache.read("key")
    end
  end

  def test_secret
    sealed = Directory.new(path("cache"), secret: SECRET)
    @cache.write("key", "planted")
    assert_nil sealed.read("key")
    assert_equal true, sealed.write("key", "genuine", only: :absent)
    assert_equal ["genuine", nil], [sealed.read("key"), @cache.read("key")]
    others = ["t" * 32, ["t" * 32, SECRET]].map { |secret| Directory.new(path("cache"), secret: secret) }
    assert_equal([nil, "genuine"], others.map { |other| other.read("key") })
    forge("key") { |bytes| bytes.sub("genuine", "forged!") }
    assert_nil sealed.read("key")
    assert_raises(Frugal::UsageError) { Directory.new(path("cache"), secret: "short") }
    assert_raises(Frugal::UsageError) { Directory.new(path("cache"), secret: []) }
    refute_includes sealed.inspect + sealed.instance_variable_get(:@content).inspect, SECRET
  end

  def test_a_sealed_entry_of_another_key
    sealed = Directory.new(path("cache"), secret: SECRET)
    sealed.write("one", "of one")
    bytes = Entries.new(path("cache")).read(Entries.digest("one")).bytes
    Entries.new(path("cache")).update(Entries.digest("two")) { |handle| handle.write(bytes, serializer: 1) }
    assert_nil sealed.read("two")
  end

  def test_clear_removes_nothing_else
    20.times { |n| @cache.write("key#{n}", "value") }
    kept = [write("cache/.keep"), write("cache/ab/notes"), write("cache/other/#{"a" * 62}")]
    @cache.clear
    assert_equal kept.sort, Dir.glob("#{tree}/cache/**/*", File::FNM_DOTMATCH).select { |name| File.file?(name) }.sort
  end

  def test_delete_if
    %w[posts/1 posts/2 users/1].each { |key| @cache.write(key, key) }
    assert_equal(2, @cache.delete_if { |key| key.start_with?("posts/") })
    assert_equal [nil, nil, "users/1"], %w[posts/1 posts/2 users/1].map { |key| @cache.read(key) }
  end

  def test_prune_deletes_what_was_written_longest_ago
    10.upto(49) do |n|
      @cache.write("key#{n}", "x" * 1000)
      File.utime(n, n, file("key#{n}"))
    end
    one = File.size(file("key10"))
    assert_equal 40 * one, @cache.size
    assert_equal 40 * one, @cache.prune(40 * one)
    assert_equal 10 * one, @cache.prune(10 * one)
    assert_equal((40..49).to_a, (10..49).select { |n| @cache.read("key#{n}") })
    assert_equal 10 * one, @cache.prune(0, 0), "no time is left"
    assert_equal [0, 0], [@cache.prune(0), @cache.size]
  end

  # Two of one partition.
  def test_prune_within_a_second
    keys = (0..1000).map { |n| "key#{n}" }.group_by { |key| File.dirname(file(key)) }.values.find { |some| some.size > 1 }.first(2)
    [keys, keys.reverse].each do |older, newer|
      keys.each { |key| @cache.write(key, "x" * 1000) }
      [older, newer].each_with_index { |key, at| File.utime(0, Time.at(10, at, :millisecond), file(key)) }
      assert_equal File.size(file(newer)), @cache.prune(File.size(file(newer)))
      assert_equal([nil, "x" * 1000], [older, newer].map { |key| @cache.read(key) })
    end
  end

  def test_the_limit_is_kept
    limit = Frugal::Cache::Limit.new(@cache, 400_000)
    largest = 0
    3000.times do |n|
      @cache.write("key#{n}", "x" * 500)
      limit.wrote(500)
      largest = [largest, @cache.size].max if (n % 200).zero?
    end
    assert_operator largest, :<, 600_000 # without a limit: 1,650,000
    assert_operator @cache.size, :<, 500_000
    assert_operator @cache.size, :>, 200_000
    assert_in_delta @cache.size, limit.estimate, 100_000
    assert_equal "x" * 500, @cache.read("key2999")
  end

  def test_a_partition_that_is_removed_meanwhile
    writer = Thread.new do
      300.times do
        @cache.write("key", "value")
      rescue Errno::ENOENT # removed three times in a row
        nil
      end
    end
    FileUtils.rm_rf(path("cache")) while writer.alive?
    writer.join
    assert_equal [true, "value"], [@cache.write("key", "value"), @cache.read("key")]
  end

  def test_a_full_disk
    skip "needs fork and strace" unless Safety::TracedFork.available? && Frugal::Native.engine_name == :c

    @cache.write("key", "old")
    outcome = Safety::TracedFork.new(["-e", "inject=pwrite64:error=ENOSPC"]).call do |say|
      @cache.write("key", "new")
    rescue Errno::ENOSPC
      say.call("full")
    end
    assert_equal [["full"], "old"], [outcome.messages, @cache.read("key")]
  end

  # A process that hangs with the lock of an entry.
  def test_a_lock_that_is_not_released
    skip "needs fork" unless Process.respond_to?(:fork)

    @cache.write("key", "old")
    child = hold_lock
    assert_equal "old", @cache.read("key")
    with_lock_wait(0.05) do
      assert_raises(Directory::Busy) { @cache.update("key") { ["lost", nil] } }
      assert_equal [true, "new"], [@cache.write("key", "new"), @cache.read("key")]
    end
  ensure
    Process.kill(:KILL, child) && Process.wait(child) if child
  end

  # What was read is one of the values as a whole, whenever the writers are killed.
  def test_killed_writers
    skip "needs fork" unless Process.respond_to?(:fork)

    20.times do
      child = fork { loop { ("a".."z").each { |letter| @cache.write("key", letter * rand(1..9000)) } } }
      sleep(rand / 50)
      Process.kill(:KILL, child)
      Process.wait(child)
      assert_operator @cache.read("key").to_s.squeeze.size, :<=, 1
      assert_equal [true, "!"], [@cache.write("key", "!"), @cache.read("key")]
    end
  end

  def test_threads
    threads = Array.new(8) { Thread.new { 50.times { @cache.update("key") { |payload| [(payload.to_i + 1).to_s, nil] } } } }
    threads.each(&:join)
    assert_equal "400", @cache.read("key")
  end

  private

  def file(key) = Entries.new(path("cache")).path(Entries.digest(key))

  # Changes what a file contains and gives it a valid checksum.
  def forge(key)
    entries = Entries.new(path("cache"))
    entries.update(Entries.digest(key)) { |handle| handle.write(yield(handle.record.bytes), serializer: handle.record.serializer) }
  end

  def hold_lock
    out, ready = IO.pipe
    child = fork do
      File.open(file("key")) do |held|
        held.flock(File::LOCK_EX)
        ready.write("x")
        sleep
      end
    end
    out.read(1)
    child
  end
end

# frozen_string_literal: true

require_relative "../test_helper"
require "frugal/entries"
require "frugal/entries/sweep"

# A directory with a file for each key: one test for every engine.
class EntriesTest < Frugal::TestCase
  Entries = Frugal::Entries
  Format = Entries::Format
  KEY = Entries.digest("key")
  OTHER = Entries.digest("other")

  def setup
    @entries = Entries.new(path("entries"))
  end

  def test_a_miss
    assert_nil @entries.read(KEY)
    assert_nil @entries.open(KEY)
    assert_equal false, @entries.delete(KEY)
    assert_nil(@entries.update(KEY, create: false) { flunk })
    refute_path_exists @entries.dir
  end

  def test_write_and_read
    save("one", serializer: 7, expires_at: 9_999_999_999_999, idle: 60)
    record = @entries.read(KEY)
    assert_equal ["one", 7, 9_999_999_999_999, 60, 1], record.to_a.first(5)
    assert_equal Encoding::BINARY, record.bytes.encoding
    assert_equal path("entries/#{KEY[0, 2]}/#{KEY[2..]}"), @entries.path(KEY)
    assert_equal 0o600, File.stat(@entries.path(KEY)).mode & 0o777
    assert_equal 0o700, File.stat(@entries.dir).mode & 0o777
    assert_nil @entries.read(OTHER)
    assert_equal true, @entries.delete(KEY)
    assert_nil @entries.read(KEY)
  end

  def test_permissions
    umask = File.umask(0o022)
    Entries.new(path("shared"), permissions: 0o666).update(KEY) { |handle| handle.write("one") }
    assert_equal %w[755 755 644], [path("shared"), *Dir.glob(path("shared/**/*"))].map { |file| (File.stat(file).mode & 0o777).to_s(8) }
  ensure
    File.umask(umask)
  end

  # Each size twice, so that both slots are written, and across each capacity of the slots.
  def test_sizes
    sizes = [0, 1, 200, 1631, 1632, 2007, 2008, 2009, 4056, 65_495, 65_496, 65_497, 200_000, 3].flat_map { |size| [size, size] }
    sizes.each.with_index(1) do |size, sequence|
      save(bytes = Random.bytes(size))
      assert_equal [bytes, sequence], @entries.read(KEY).to_a.values_at(0, 4)
    end
    assert_equal [KEY[2..]], Dir.children(File.dirname(@entries.path(KEY)))
  end

  def test_a_record_that_fits_keeps_the_inode
    save("x" * 100)
    inode = File.stat(@entries.path(KEY)).ino
    [1, 1900, 2008, 5].each { |size| save("x" * size) }
    assert_equal inode, File.stat(@entries.path(KEY)).ino
    save("x" * 2009)
    refute_equal inode, File.stat(@entries.path(KEY)).ino
  end

  def test_expiry
    record = Entries::Record.new("", 0, 5_000, 10, 1, 0)
    assert_equal [false, true, true], [4.9, 5.0, 5.1].map { |now| record.expired?(now, 0) }
    record.expires_at = 0
    assert_equal [false, true], [109.9, 110.0].map { |now| record.expired?(now, 100) }
    record.idle = 0
    assert_equal false, record.expired?(1e12, 0)
  end

  # Every prefix of a write, and every mixture of old and new parts, is the old or the new entry.
  def test_a_torn_write_is_the_old_or_the_new_entry
    [["one", "another"], ["x" * 1500, "y" * 300], ["x" * 3000, "y" * 3500]].each do |old, new|
      [0, 1].each do |skipped|
        @entries.delete(KEY)
        skipped.times { save("first") }
        save(old)
        before = File.binread(@entries.path(KEY))
        save(new)
        after = File.binread(@entries.path(KEY))
        torn(before, after) do |content, complete|
          found = entry_in(content)
          complete ? assert_equal(new, found) : assert_includes([old, new], found)
        end
      end
    end
  end

  def test_a_changed_byte_is_never_another_entry
    save("old")
    save("new entry")
    content = File.binread(@entries.path(KEY))
    content.bytesize.times do |at|
      next if at == Format::FLAG_AT

      changed = content.dup
      changed.setbyte(at, changed.getbyte(at) ^ 0x41)
      expected = at < Format::FLAG_AT ? [nil] : [nil, "old", "new entry"]
      assert_includes expected, entry_in(changed), at
    end
    [0, *13..17].each do |exponent| # with another one, the newest record would not be found, and an older one could be
      content.dup.tap { |changed| changed.setbyte(8, exponent) }.then { |changed| assert_nil entry_in(changed), exponent }
    end
    content.bytesize.times do |size|
      assert_includes [nil, "old"], entry_in(content[0, size]), size
    end
  end

  # While the file is read, two writes follow each other: the slot that was read first is older than what was there when the
  # read began. Such bytes do not count, unless they stay the same.
  def test_a_read_that_two_writes_overtake
    contents = %w[one two three four].map do |text|
      save(text)
      File.binread(@entries.path(KEY))
    end
    contents.each { |content| assert decoded(content).settled }
    half = contents[0].bytesize
    [contents[3][half..-2], contents[3][half..], contents[3][half..].sub("four", "fuor")].each.with_index do |slot, n|
      mixed = decoded(contents[1][0, half] + slot)
      assert_equal [n == 1 ? "four" : "one", false], [mixed.bytes, mixed.settled]
    end
    File.binwrite(@entries.path(KEY), contents[3][0..-2]) # of a process that was killed
    assert_equal "three", @entries.read(KEY).bytes
    assert_equal("three", opened { |handle| handle.record.bytes })
    save("five")
    assert decoded(File.binread(@entries.path(KEY))).settled
  end

  # Each read finds other bytes, none of them settled: then the lock decides.
  def test_a_file_that_is_written_all_the_time
    whole = %w[one two three].map do |text|
      save(text)
      File.binread(@entries.path(KEY))
    end
    torn = ("a".."z").map { |letter| whole[2][0..-2] + letter }
    busy = true
    writer = Thread.new { torn.cycle { |content| busy ? File.binwrite(@entries.path(KEY), content) : break } }
    50.times do
      assert_includes [nil, "two", "three"], @entries.read(KEY)&.bytes
      found = opened { |handle| handle.record&.bytes }
      assert_includes [nil, "two", "three"], found
    end
  ensure
    busy = false
    writer.join
  end

  def test_a_digest_that_is_none
    ["", "a" * 63, "a" * 65, "g" * 64, "../#{"a" * 61}", "a" * 63 + "\0", "a" * 63 + "\n"].each do |digest|
      %i[read open create].each { |name| assert_raises(ArgumentError) { @entries.public_send(name, digest) } }
    end
    assert_nil @entries.read("AB" * 32)
  end

  # A payload cannot pose as a record, whatever it contains: neither when its slot is used again nor in a new file.
  def test_a_payload_that_looks_like_a_record
    head = Format.head(KEY, 10)
    forged = Format.encode(head, Entries::Record.new("forged", 0, 0, 0, 1000, 0))
    sizes = [10, 1000, 2008, 3000, 5000, 70_000, 10, 2008]
    sizes.each do |size|
      save((forged * (size / forged.bytesize + 1))[0, size])
      2.times do
        save("plain")
        assert_equal "plain", @entries.read(KEY).bytes
      end
    end
  end

  def test_what_is_not_an_entry
    save("one")
    copy = File.binread(@entries.path(KEY))
    place = ->(content) { File.binwrite(@entries.path(KEY), content) }
    { "" => :empty, "x" => :foreign, Marshal.dump("a" => 1) => :foreign, "x" * 100_000 => :foreign, copy[0, 40] => :damaged,
      Format.head(OTHER, 1) + copy[16..] => :foreign, copy.sub("one", "two") => :damaged }.each do |content, problem|
      place.call(content)
      assert_nil @entries.read(KEY)
      assert_equal [nil, problem], opened { |handle| [handle.record, handle.problem] }
      save("again")
      assert_equal "again", @entries.read(KEY).bytes
    end
  end

  def test_huge_and_special_files
    save("one")
    File.truncate(@entries.path(KEY), 1 << 30) # sparse
    assert_equal(:huge, opened(&:problem))
    assert_equal "one", @entries.read(KEY).bytes
    File.unlink(@entries.path(KEY))
    File.mkfifo(@entries.path(KEY))
    assert_equal(:special, opened(&:problem))
    assert_nil @entries.read(KEY) unless RUBY_ENGINE == "jruby" && Frugal::Native.engine_name == :pure
    assert_equal true, @entries.delete(KEY)
    Dir.mkdir(@entries.path(KEY))
    assert_nil @entries.read(KEY)
    assert_raises(Errno::EISDIR) { @entries.open(KEY) }
    assert_equal true, @entries.quarantine(KEY, :special)
    symlink("/etc/passwd", "entries/#{KEY[0, 2]}/#{KEY[2..]}")
    assert_raises(Errno::ELOOP) { @entries.open(KEY) }
    assert_nil @entries.read(KEY)
    assert_equal true, @entries.delete(KEY)
  end

  def test_quarantine
    save("one")
    assert_equal true, @entries.quarantine(KEY, :damaged)
    assert_equal false, @entries.quarantine(KEY, :damaged)
    assert_match(/\A#{KEY}\.damaged\.\d+\z/, Dir.children(path("entries/quarantine")).join)
  end

  def test_a_file_that_may_only_be_read
    save("one")
    File.chmod(0o755, tree)
    File.chmod(0o755, @entries.dir, File.dirname(@entries.path(KEY)))
    File.chmod(0o444, @entries.path(KEY))
    as_nobody do
      opened { |handle| assert_equal ["one", false], [handle.record.bytes, handle.writable?] }
      assert_raises(IOError, SystemCallError) { save("two") }
    end
    assert_equal "one", @entries.read(KEY).bytes
  end

  # Handles in one process exclude each other as those of several do.
  def test_locks
    save("one")
    first, second = Array.new(2) { @entries.open(KEY).tap(&:load) }
    turns = first.take_turn(0)
    assert_includes [true, nil], turns # nil: the pure engine under JRuby, or a system without them
    assert turns if Frugal::Native.engine_name == :java && RbConfig::CONFIG["host_os"].include?("linux")
    assert_equal [turns && false], [second.take_turn(0.01)]
    first.change(1) do |changed|
      refute changed
      assert_equal(:busy, second.change(0.01) { flunk })
      first.write("two")
    end
    second.change(1) { |changed| assert changed }
    assert_equal "two", second.record.bytes
    second.change(1) { |changed| refute changed }
    first.close
    assert_equal [turns], [second.take_turn(0)]
    assert_raises(Frugal::UsageError) { second.write("three") }
  ensure
    [first, second].each(&:close)
  end

  def test_a_handle_of_a_file_that_is_replaced_or_deleted
    %w[replaced deleted].each do |way|
      save("one")
      handle = @entries.open(KEY)
      handle.load
      way == "replaced" ? save("x" * 5000) : @entries.delete(KEY)
      assert_equal(:gone, handle.change(1) { flunk })
      assert_equal false, handle.load
    ensure
      handle.close
    end
  end

  # A process was killed after it had marked a file, before it replaced it.
  def test_a_mark_without_a_replacement
    save("one")
    File.binwrite(@entries.path(KEY), Format::RETIRED, Format::FLAG_AT)
    File.binwrite("#{@entries.path(KEY)}.new", "x" * 9000)
    opened { |handle| handle.change(1) { handle.write("two") } }
    assert_equal "two", @entries.read(KEY).bytes
    save("x" * 5000)
    assert_equal "x" * 5000, @entries.read(KEY).bytes
    assert_equal 1, Dir.children(File.dirname(@entries.path(KEY))).size
  end

  def test_a_touch
    save("one")
    File.utime(1, 1, @entries.path(KEY))
    opened(&:touch)
    assert_in_delta Time.now, File.mtime(@entries.path(KEY)), 60
  end

  def test_no_increment_of_eight_processes_is_lost
    skip "needs fork" unless Process.respond_to?(:fork)

    count_in_processes(8, 150) { |_, n| n.to_s }
    assert_equal "1200", @entries.read(KEY).bytes
  end

  # The payload grows and shrinks, so that the file is replaced again and again.
  def test_no_increment_is_lost_while_files_are_replaced
    skip "needs fork" unless Process.respond_to?(:fork)

    count_in_processes(8, 50) { |_, n| n.to_s.ljust([10, 3000, 70_000, 9000][n % 4]) }
    assert_equal 400, @entries.read(KEY).bytes.to_i
  end

  def test_readers_see_whole_entries
    skip "needs fork" unless Process.respond_to?(:fork)

    save("0" * 1000)
    writer = fork { (1..2000).each { |n| save((n % 10).to_s * [1000, 1800].sample) } }
    seen = 0
    until Process.wait(writer, Process::WNOHANG)
      bytes = @entries.read(KEY).bytes
      assert_equal 1, bytes.squeeze.size
      seen += 1
    end
    assert_operator seen, :>, 10
  end

  def test_sweep
    digests = Array.new(50) { |n| Entries.digest(n.to_s) }
    digests.each { |digest| save("one", digest, idle: 100) }
    old = digests.first(20).each { |digest| File.utime(1, Time.now - 101, @entries.path(digest)) }
    File.binwrite("#{@entries.path(old.last)}.new", "")
    File.utime(1, 1, "#{@entries.path(old.last)}.new")
    write("entries/#{old.last[0, 2]}/notes")
    in_use = @entries.open(old.first)
    in_use.load
    turns = in_use.take_turn(0)
    assert_equal turns ? 20 : 21, Entries::Sweep.new(@entries, younger: 50).all
    in_use.close
    kept = digests.select { |digest| @entries.read(digest) }
    assert_equal turns ? [old.first, *digests.drop(20)] : digests.drop(20), kept
    sweep = Entries::Sweep.new(@entries)
    assert_equal(turns ? 1 : 0, Array.new(600) { sweep.step(3) }.sum)
    assert_path_exists path("entries/#{old.last[0, 2]}/notes")
  end

  private

  def save(bytes, digest = KEY, **options) = @entries.update(digest) { |handle| handle.write(bytes, **options) }

  def opened
    handle = @entries.open(KEY)
    handle.load
    yield handle
  ensure
    handle&.close
  end

  # Both ways to read find the same.
  def entry_in(content)
    File.open(@entries.path(KEY), "r+b") do |file| # ext4 writes a file to the disk that was truncated to nothing
      file.write(content)
      file.truncate(content.bytesize)
    end
    found = opened(&:record)
    found ? assert_equal(found, @entries.read(KEY)) : assert_nil(@entries.read(KEY))
    found&.bytes
  end

  def decoded(content) = Frugal::Native.engine::EntryRecord.decode(content, Entries::Record)

  def count_in_processes(processes, times)
    children = Array.new(processes) do
      fork do
        times.times do
          @entries.update(KEY) { |handle| handle.write(yield(handle, handle.record&.bytes.to_i + 1)) }
        end
        exit!
      end
    end
    children.each { |child| Process.wait(child) }
  end

  # Yields contents between the two, and whether they are complete.
  def torn(before, after)
    from = before.bytesize.times.find { |at| before.getbyte(at) != after.getbyte(at) } || before.bytesize
    (from..after.bytesize).each { |at| yield after[0, at] + before[at..].to_s, at == after.bytesize }
    random = Random.new(1)
    200.times do # parts of 64 bytes that were written in any order
      mixed = before.ljust(after.bytesize, "\0")
      (from / 64..after.bytesize / 64).each { |n| mixed[n * 64, 64] = after[n * 64, 64] if random.rand < 0.7 }
      yield mixed[0, [after.bytesize, before.bytesize].max], false
    end
  end
end

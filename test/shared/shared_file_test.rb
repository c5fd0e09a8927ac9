# frozen_string_literal: true

require_relative "../test_helper"
require "frugal/store/file/shared_file"

# A file that processes share, and whether its bytes are still valid: one test for every engine.
class SharedFileTest < Frugal::TestCase
  SharedFile = Frugal::Store::SharedFile

  def setup
    @path = path("a")
    @file = SharedFile.new
  end

  def test_share
    skip_where_times_are_not_trusted
    assert_nil share
    write("a", "one", mtime: Time.at(1, 5))
    sleep 0.03 # the mtime must be older than two clock ticks
    assert_equal "one", share
    assert_equal Encoding::BINARY, SharedFile.new.share(@path).encoding
    assert_same true, share
    write("a", "two")
    assert_equal "two", share
    File.unlink(@path)
    assert_nil share
  end

  # Changes of equal size within one clock tick, by programs that lock the file and by others that do not.
  def test_no_change_goes_unnoticed
    other = SharedFile.new
    last = ""
    400.times do |n|
      text = format("%04d", n).freeze
      if n.odd?
        File.binwrite(@path, text)
      else
        found = other.claim(@path)
        found = last if found == true
        other.write(@path, 0, found, text, found.bytesize, 4)
        other.release
      end
      last = text
      assert_equal text, share
      assert_equal text, share.then { |found| found == true ? text : found }
    end
  end

  def test_a_replaced_file
    write("a", "one")
    share
    write("b", "two")
    File.rename(path("b"), @path)
    assert_equal "two", share
    assert_equal "two", change("three") { |found| found == true ? "two" : found }
    assert_equal "three", File.read(@path)
  end

  def test_write
    { "" => "grown", "grown" => "grow", "grow" => "x" * 10_000, "x" * 10_000 => "" }.each do |old, fresh|
      assert_includes [true, old], @file.claim(@path)
      @file.write(@path, 0, old.dup.freeze, fresh.dup.freeze, old.bytesize, fresh.bytesize)
      @file.release
      assert_equal fresh, File.read(@path)
    end
  end

  def test_write_a_part_and_truncate
    write("a", "0123456789")
    @file.claim(@path)
    @file.write(@path, 2, nil, "ab", 10, 6)
    @file.release
    assert_equal "01ab45", File.read(@path)
  end

  def test_replace
    write("target", "old")
    File.chmod(0o640, path("target"))
    symlink("target", "a")
    @file.claim(@path)
    before = File.stat(@path).ino
    @file.replace(@path, "new")
    locked = File.open(@path) { |file| file.flock(File::LOCK_EX | File::LOCK_NB) }
    refute locked, "the new file must be locked before it is in place"
    @file.release
    assert_equal ["new", true, "100640"], [File.read(@path), File.symlink?(@path), File.stat(@path).mode.to_s(8)]
    refute_equal before, File.stat(@path).ino
    assert_equal %w[a target], Dir.children(tree).sort
  end

  def test_replace_by_a_relative_path
    write("a", "old")
    Dir.chdir(tree) do
      @file.claim("a")
      @file.replace("a", "new")
      @file.release
    end
    assert_equal "new", File.read(@path)
  end

  def test_a_replacement_that_cannot_be_created
    write("a", "old")
    mkdir("a#{Frugal::Store::AtomicReplace::SUFFIX}")
    @file.claim(@path)
    assert_raises(SystemCallError) { @file.replace(@path, "new") }
    @file.release
    assert_equal "old", File.read(@path)
    assert_includes ["old", true], share
  end

  def test_faults_are_those_of_file_open
    assert_equal attempt { File.open(path("no/a"), "r+") }, attempt { @file.claim(path("no/a")) }
    mkdir("d")
    assert_equal attempt { File.open(path("d"), "r+") }, attempt { @file.claim(path("d")) }
    assert_raises(SharedFile::Special) { @file.share("/dev/null") }
    @file.release
    write("a")
    symlink("a", "link")
    assert_raises(Errno::ELOOP) { @file.share(path("link"), false) }
  end

  def test_nested
    other = SharedFile.new
    @file.claim(@path)
    assert_raises(SharedFile::Nested) { other.share(@path) }
    assert_raises(SharedFile::Nested) { other.claim(@path) }
    other.release
    @file.release
    assert_equal "", other.share(@path).then { |found| found == true ? "" : found }
    @file.share(@path)
    other.release
    @file.release
  end

  def test_another_thread_waits
    write("a", "one")
    @file.claim(@path)
    thread = Thread.new { SharedFile.new.share(@path) }
    sleep 0.01 until thread.stop?
    @file.write(@path, 0, "one", "two", 3, 3)
    @file.release
    assert_equal "two", thread.value
  end

  def test_few_are_open
    files = Array.new(80) { SharedFile.new }
    count = -> { Dir.children("/dev/fd").size }
    before = count.call
    files.each_with_index do |file, n|
      file.claim(path(n.to_s))
      file.release
    end
    assert_operator count.call - before, :<=, 32
    files.each_with_index { |file, n| assert_includes ["", true], file.claim(path(n.to_s)).tap { file.release } }
  end

  private

  def share = @file.share(@path).tap { @file.release }

  def change(fresh)
    old = yield(@file.claim(@path))
    @file.write(@path, 0, old, fresh, old.bytesize, fresh.bytesize)
    @file.release
    old
  end

  def attempt
    yield
  rescue SystemCallError => e
    e.message
  ensure
    @file.release
  end
end

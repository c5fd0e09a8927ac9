# frozen_string_literal: true

require_relative "../test_helper"
require "pathname"
require "socket"

# What a probe answers, under the engine that FRUGAL_ENGINE names: bin/test runs
# this file under each. File and Dir are the reference.
class ProbeTest < Frugal::TestCase
  NAMESAKES = {
    mtime: File.method(:mtime), type: File.method(:ftype), entries: Dir.method(:entries), read: File.method(:read)
  }.freeze

  def test_the_engine_is_the_one_asked_for
    assert_equal (ENV["FRUGAL_ENGINE"] || "c").to_sym, Frugal::Native.engine_name
  end

  # -- hits --

  def test_mtime_to_the_nanosecond
    file = write("a")
    [Time.at(1_700_000_000, 123_456_789, :nsec), Time.at(0), Time.at(-1, 1, :nsec), Time.at(2**33)].each do |time|
      File.utime(time, time, file)
      assert_equal File.mtime(file), Frugal.mtime(file)
      assert_equal File.mtime(file).nsec, Frugal.mtime(file).nsec
    end
  end

  def test_mtime_is_a_local_time_as_core_gives
    file = write("a")
    assert_equal File.mtime(file).utc_offset, Frugal.mtime(file).utc_offset
    assert_equal File.mtime(file).zone, Frugal.mtime(file).zone
  end

  def test_mtime_follows_links_and_type_does_not
    link = symlink(write("target", mtime: Time.at(5)), "link")
    assert_equal Time.at(5), Frugal.mtime(link)
    assert_equal "link", Frugal.type(link)
    assert_nil Frugal.mtime(symlink("nowhere", "dangling"))
    assert_equal "link", Frugal.type(path("dangling"))
  end

  def test_types
    File.mkfifo(path("fifo"))
    UNIXServer.new(path("socket")).close
    paths = { "file" => write("a"), "directory" => tree, "fifo" => path("fifo"), "socket" => path("socket"),
              "characterSpecial" => File::NULL }
    paths.each do |type, path|
      assert_equal type, Frugal.type(path)
      assert_equal File.ftype(path).encoding, Frugal.type(path).encoding
      refute_predicate Frugal.type(path), :frozen?
    end
  end

  def test_entries_in_the_order_of_core
    assert_equal Dir.entries(tree), Frugal.entries(tree)
    3000.times { |i| write("many/#{"x" * (i % 200)}#{i}") } # several batches of the kernel's
    assert_equal Dir.entries(path("many")), Frugal.entries(path("many"))
  end

  def test_entries_of_a_directory_that_is_gone
    dir = mkdir("gone")
    Dir.chdir(dir) do
      Dir.rmdir(dir)
      assert_equal Dir.entries("."), Frugal.entries(".")
    end
  end

  def test_read_any_size
    [0, 1, 100, 4095, 4096, 16_383, 16_384, 16_385, 1_000_000].each do |size|
      content = Random.new(size).bytes(size)
      assert_equal content, Frugal.read(write("a", content)).b, "size #{size}"
    end
  end

  def test_read_files_that_lie_about_their_size
    %w[/proc/self/cmdline /proc/filesystems /sys/kernel/mm/transparent_hugepage/enabled].each do |file|
      assert_equal File.read(file), Frugal.read(file) if File.readable?(file)
    end
    assert_equal "", Frugal.read(File::NULL)
  end

  def test_read_a_fifo_to_its_end
    File.mkfifo(path("fifo"))
    text = "line\n" * 10_000
    writer = Thread.new { File.write(path("fifo"), text) }
    assert_equal text, Frugal.read(path("fifo"))
    writer.join
  end

  def test_read_gives_back_the_memory_it_did_not_need
    require "objspace"
    small = ObjectSpace.memsize_of(Frugal.read(write("a", "x" * 200)))
    unsized = ObjectSpace.memsize_of(Frugal.read("/proc/self/stat"))
    assert_operator small, :<, 1000
    assert_operator unsized, :<, 4000
  end

  # -- misses --

  def test_a_miss_is_nil
    file = write("file")
    [path("missing"), path("missing/deeper"), "#{file}/below", ""].each do |missing|
      NAMESAKES.each_key { |probe| assert_nil Frugal.public_send(probe, missing), "#{probe} #{missing}" }
    end
    assert_nil Frugal.entries(file)
  end

  # -- faults --

  def test_a_fault_is_told_in_the_words_of_the_namesake
    File.symlink("loop", path("loop"))
    ["#{path("loop")}/x", path("n" * 256), "/#{"long/" * 1000}x"].each do |faulty|
      NAMESAKES.each { |probe, namesake| assert_same_error(namesake, faulty) { |path| Frugal.public_send(probe, path) } }
      assert_same_error(File.method(:mtime), faulty) { |path| Frugal.mtimes([tree, path("missing"), path]) }
    end
    assert_same_error(File.method(:read), tree) { |path| Frugal.read(path) }
  end

  def test_a_forbidden_path_is_a_fault
    write("closed/a")
    File.write(path("unreadable"), "x")
    File.chmod(0o755, tree)
    File.chmod(0, path("closed"), path("unreadable"))
    as_nobody do
      assert_same_error(File.method(:mtime), path("closed/a")) { |path| Frugal.mtime(path) }
      assert_same_error(File.method(:mtime), path("closed/a")) { |path| Frugal.mtimes([path]) }
      assert_same_error(File.method(:ftype), path("closed/a")) { |path| Frugal.type(path) }
      assert_same_error(Dir.method(:entries), path("closed")) { |path| Frugal.entries(path) }
      assert_same_error(File.method(:read), path("unreadable")) { |path| Frugal.read(path) }
    end
  ensure
    File.chmod(0o755, path("closed"))
  end

  def test_what_is_no_path
    [nil, 1, :symbol, [], Object.new, "nul\0byte", "a".encode("UTF-16LE")].each do |wrong|
      NAMESAKES.each_key do |probe|
        assert_same_error(File.method(:ftype), wrong) { |path| Frugal.public_send(probe, path) }
      end
      assert_same_error(File.method(:ftype), wrong) { |path| Frugal.mtimes(["missing", path]) }
    end
  end

  def test_what_is_no_list_of_paths
    [nil, 1, "path"].each do |wrong|
      assert_same_error([].method(:concat), wrong) { |paths| Frugal.mtimes(paths) }
    end
  end

  # -- paths --

  def test_whatever_is_a_path_to_core
    file = write("a", "text", mtime: Time.at(7))
    to_path = Struct.new(:to_path).new(file)
    to_str = Class.new { define_method(:to_str) { file } }.new
    [file, Pathname(file), to_path, to_str, Class.new(String).new(file), File.open(file, &:itself)].each do |path|
      assert_equal Time.at(7), Frugal.mtime(path)
      assert_equal [Time.at(7)], Frugal.mtimes([path])
      assert_equal "file", Frugal.type(path)
      assert_equal "text", Frugal.read(path)
    end
    assert_equal Dir.entries(tree), Frugal.entries(Pathname(tree))
  end

  def test_odd_names
    ["sp ace", "new\nline", "-dash", "|true", "*?[", "ümlaut", "\xFF\xFE", "日本", "~", "$HOME"].each do |name|
      file = write(name, name, mtime: Time.at(9))
      assert_equal Time.at(9), Frugal.mtime(file)
      assert_equal [Time.at(9)], Frugal.mtimes([file])
      assert_equal "file", Frugal.type(file)
      assert_equal File.read(file), Frugal.read(file)
    end
    assert_equal Dir.entries(tree), Frugal.entries(tree)
    assert_equal Dir.entries(tree).map(&:encoding), Frugal.entries(tree).map(&:encoding)
  end

  def test_relative_paths
    write("a", "here")
    Dir.chdir(tree) { assert_equal ["here", "file"], [Frugal.read("a"), Frugal.type("a")] }
    Dir.chdir(tree) { assert_nil Frugal.read("|echo") } # a name, not a command
  end

  # -- encodings --

  def test_read_in_the_encodings_of_core
    file = write("a", "\xE9t\xE9 \xC3\xA9 plain")
    ascii = write("b", "plain")
    [["UTF-8", nil], ["ISO-8859-1", nil], ["ISO-8859-1", "UTF-8"], ["UTF-8", "UTF-8"], ["UTF-8", "UTF-16LE"],
     ["UTF-8", "ISO-8859-1"], ["ASCII-8BIT", "UTF-8"], ["Windows-1252", "UTF-8"], ["US-ASCII", "UTF-8"]]
      .each do |external, internal|
      [file, ascii].each do |path|
        with_encodings(external, internal) { assert_same_outcome(-> { File.read(path) }, -> { Frugal.read(path) }) }
      end
    end
  end

  def test_entries_in_the_encodings_of_core
    write("\xE9t\xE9")
    write("ascii")
    [["UTF-8", nil], ["ISO-8859-1", "UTF-8"], ["US-ASCII", nil], ["UTF-8", "ISO-8859-1"]].each do |external, internal|
      with_encodings(external, internal) do
        assert_same_outcome(-> { Dir.entries(tree) }, -> { Frugal.entries(tree) })
      end
    end
  end

  # -- mtimes --

  def test_mtimes_in_order_with_misses
    paths = Array.new(3000) { |i| i % 3 == 0 ? path("missing#{i}") : write("f#{i}", mtime: Time.at(i)) }
    expected = Array.new(3000) { |i| i % 3 == 0 ? nil : Time.at(i) }
    assert_equal expected, Frugal.mtimes(paths)
    assert_equal [], Frugal.mtimes([])
  end

  def test_mtimes_takes_what_converts_to_an_array
    list = Struct.new(:to_ary).new([write("a", mtime: Time.at(1))])
    assert_equal [Time.at(1)], Frugal.mtimes(list)
  end

  def test_mtimes_tells_of_the_first_fault
    faulty = Array.new(1500) { |i| i < 1000 ? path("missing") : path("n" * 256 + i.to_s) }
    error = assert_raises(Errno::ENAMETOOLONG) { Frugal.mtimes(faulty) }
    assert_includes error.message, "n#{1000}"
  end

  def test_mtimes_when_a_path_changes_the_list
    paths = []
    spoiler = Class.new { define_method(:to_path) { paths.clear && "missing" } }.new
    paths.push(spoiler, tree, tree)
    assert_equal [nil, File.mtime(tree), File.mtime(tree)], Frugal.mtimes(paths)
  end

  private

  def outcome
    value = yield
    [value, Array(value).grep(String).map(&:encoding)]
  rescue StandardError => error
    [error.class, error.message]
  end

  def assert_same_outcome(reference, ours)
    assert_equal outcome(&reference), outcome(&ours)
  end

  def assert_same_error(reference, argument, &ours)
    expected = assert_raises(StandardError) { reference.call(argument) }
    actual = assert_raises(expected.class) { ours.call(argument) }
    assert_equal expected.message, actual.message
  end

  def with_encodings(external, internal)
    before = [Encoding.default_external, Encoding.default_internal]
    silently { Encoding.default_external, Encoding.default_internal = external, internal }
    yield
  ensure
    silently { Encoding.default_external, Encoding.default_internal = before }
  end

  def silently
    verbose, $VERBOSE = $VERBOSE, nil
    yield
  ensure
    $VERBOSE = verbose
  end

  # Root may read everything, so the block runs as nobody where root runs the tests.
  def as_nobody
    before = Process.euid
    Process::UID.eid = 65_534 if before.zero?
    yield
  ensure
    Process::UID.eid = before if before.zero?
  end
end

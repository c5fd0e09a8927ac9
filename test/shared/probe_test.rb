# frozen_string_literal: true

require_relative "../test_helper"
require_relative "probe_reference"
require "pathname"
require "socket"

# What a probe answers, with the engine of FRUGAL_ENGINE; bin/test runs this file with
# each. The reference is File and Dir.
class ProbeTest < Frugal::TestCase
  include ProbeReference

  def test_the_engine_is_that_of_frugal_engine
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

  def test_mtime_is_a_local_time_as_file_mtime
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

  def test_size_stat_and_exist_follow_links
    target = write("target", "x" * 12_345, mtime: Time.at(5, 6, :nsec))
    [target, symlink(target, "link"), tree].each do |path|
      assert_as_namesake(:size, path)
      assert_as_namesake(:stat, path)
      assert_same true, Frugal.exist?(path)
    end
    dangling = symlink("nowhere", "dangling")
    assert_equal [nil, nil, false], [Frugal.size(dangling), Frugal.stat(dangling), Frugal.exist?(dangling)]
  end

  def test_size_of_more_than_32_bits
    file = write("big")
    File.open(file, "r+") { |io| io.seek(2**40) && io.write("x") }
    assert_equal 2**40 + 1, Frugal.size(file)
    assert_equal 2**40 + 1, Frugal.stat(file).size
  end

  def test_stat_of_every_type
    File.mkfifo(path("fifo"))
    UNIXServer.new(path("socket")).close
    File.chmod(0o4750, write("set user id"))
    File.link(write("hard"), path("harder"))
    %w[fifo socket hard].each { |name| assert_as_namesake(:stat, path(name)) }
    assert_as_namesake(:stat, path("set user id"))
    assert_equal File.stat(File::NULL).rdev, Frugal.stat(File::NULL).rdev
    assert_equal [true, true], [Frugal.stat(path("set user id")).setuid?, Frugal.stat(path("fifo")).pipe?]
  end

  def test_readlink_returns_the_target
    ["target", "../x", "a\nb", "ümlaut", "\xFF\xFE", "|x"].each_with_index do |text, i|
      link = symlink(text, "link#{i}")
      assert_as_namesake(:readlink, link)
      # JRuby's names are characters.
      assert_equal text.b, Frugal.readlink(link).b if text.valid_encoding? || RUBY_ENGINE != "jruby"
    end
    assert_as_namesake(:readlink, symlink(path("link0"), "to a link"))
    assert_same_error(File.method(:readlink), tree) { |path| Frugal.readlink(path) }
    assert_same_error(File.method(:readlink), write("file")) { |path| Frugal.readlink(path) }
  end

  def test_readlink_of_any_length
    [1, 255, 1022, 1023, 1024, 1025, 2047, 2048, 2049, 4095].each do |size|
      text = ("long/" * 820)[0, size]
      link = symlink(text, "link#{size}")
      text = File.readlink(link) if RUBY_ENGINE == "jruby" && !JAVA # File.readlink reads 1024 bytes there
      assert_equal text, Frugal.readlink(link)
    rescue Errno::ENAMETOOLONG
      assert_operator size, :>=, 1023 # the limit of XFS
    end
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

  def test_entries_and_children_in_the_order_of_dir
    assert_as_namesake(:entries, tree)
    assert_as_namesake(:children, tree)
    3000.times { |i| write("many/#{"x" * (i % 200)}#{i}") } # needs several getdents calls
    assert_as_namesake(:entries, path("many"))
    assert_as_namesake(:children, path("many"))
  end

  def test_children_are_all_entries_except_the_two_dots
    %w[... .x ..x file].each { |name| write("dots/#{name}") }
    assert_as_namesake(:children, path("dots"))
    assert_equal %w[... ..x .x file], Frugal.children(path("dots")).sort
  end

  def test_entries_and_children_of_a_removed_directory
    dir = mkdir("gone")
    Dir.chdir(dir) do
      Dir.rmdir(dir)
      assert_as_namesake(:entries, ".")
      assert_as_namesake(:children, ".")
    end
  end

  def test_read_any_size
    [0, 1, 100, 4095, 4096, 16_383, 16_384, 16_385, 1_000_000].each do |size|
      content = Random.new(size).bytes(size)
      assert_equal content, Frugal.read(write("a", content)).b, "size #{size}"
    end
  end

  def test_read_files_with_a_wrong_size
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

  def test_read_frees_the_memory_that_it_does_not_need
    skip "JRuby cannot measure the memory of a string" if RUBY_ENGINE == "jruby"
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
      assert_same false, Frugal.exist?(missing), missing
    end
    assert_nil Frugal.entries(file)
    assert_nil Frugal.children(file)
  end

  # -- faults --

  def test_a_fault_raises_the_same_error_as_file_or_dir
    File.symlink("loop", path("loop"))
    ["#{path("loop")}/x", path("n" * 256), "/#{"long/" * 1000}x"].each do |faulty|
      NAMESAKES.each do |probe, namesake|
        assert_same_error(namesake, faulty) { |path| Frugal.public_send(probe, path) }
      end
      BATCHES.each do |batch, probe|
        assert_same_error(NAMESAKES[probe], faulty) { |path| Frugal.public_send(batch, [tree, path("missing"), path]) }
      end
      assert_same false, Frugal.exist?(faulty), faulty
    end
    assert_same_error(File.method(:read), tree) { |path| Frugal.read(path) }
  end

  def test_a_forbidden_path_is_a_fault
    write("closed/a")
    File.write(path("unreadable"), "x")
    File.chmod(0o755, tree)
    File.chmod(0, path("closed"), path("unreadable"))
    as_nobody do
      %i[mtime size stat type readlink].each do |probe|
        assert_same_error(NAMESAKES[probe], path("closed/a")) { |path| Frugal.public_send(probe, path) }
      end
      BATCHES.each do |batch, probe|
        assert_same_error(NAMESAKES[probe], path("closed/a")) { |path| Frugal.public_send(batch, [path]) }
      end
      assert_same false, Frugal.exist?(path("closed/a"))
      assert_same_error(Dir.method(:entries), path("closed")) { |path| Frugal.entries(path) }
      assert_same_error(Dir.method(:children), path("closed")) { |path| Frugal.children(path) }
      assert_same_error(File.method(:read), path("unreadable")) { |path| Frugal.read(path) }
    end
  ensure
    File.chmod(0o755, path("closed"))
  end

  def test_invalid_paths
    [nil, 1, :symbol, [], Object.new, "nul\0byte", "a".encode("UTF-16LE")].each do |wrong|
      [*NAMESAKES.keys, :exist?].each do |probe|
        assert_same_error(File.method(:ftype), wrong) { |path| Frugal.public_send(probe, path) }
      end
      BATCHES.each_key do |batch|
        assert_same_error(File.method(:ftype), wrong) { |path| Frugal.public_send(batch, ["missing", path]) }
      end
    end
  end

  def test_invalid_lists_of_paths
    [nil, 1, "path"].product(BATCHES.keys).each do |wrong, batch|
      assert_same_error([].method(:concat), wrong) { |paths| Frugal.public_send(batch, paths) }
    end
  end

  # -- paths --

  def test_all_kinds_of_paths_that_file_accepts
    file = write("a", "text", mtime: Time.at(7))
    to_path = Struct.new(:to_path).new(file)
    to_str = Class.new { define_method(:to_str) { file } }.new
    link = symlink(file, "link")
    [file, Pathname(file), to_path, to_str, Class.new(String).new(file), File.open(file, &:itself)].each do |path|
      assert_equal Time.at(7), Frugal.mtime(path)
      assert_equal [Time.at(7)], Frugal.mtimes([path])
      assert_equal [4, true], [Frugal.size(path), Frugal.exist?(path)]
      assert_equal [File.stat(file).inspect] * 2, [Frugal.stat(path), *Frugal.stats([path])].map(&:inspect)
      assert_equal "file", Frugal.type(path)
      assert_equal "text", Frugal.read(path)
    end
    assert_equal file, Frugal.readlink(Pathname(link))
    assert_equal Dir.entries(tree), Frugal.entries(Pathname(tree))
    assert_equal Dir.children(tree), Frugal.children(Pathname(tree))
  end

  def test_special_names
    ["sp ace", "new\nline", "-dash", "|true", "*?[", "ümlaut", "\xFF\xFE", "日本", "~", "$HOME"].each do |name|
      file = write(name, name, mtime: Time.at(9))
      assert_equal Time.at(9), Frugal.mtime(file)
      BATCHES.each do |batch, probe|
        assert_same_outcome(-> { [NAMESAKES[probe].call(file)] }, -> { Frugal.public_send(batch, [file]) })
      end
      (NAMESAKES.keys - %i[readlink entries children]).each { |probe| assert_as_namesake(probe, file) }
      assert_same true, Frugal.exist?(file)
      assert_as_namesake(:readlink, symlink(name, "to #{name}"))
      assert_as_namesake(:children, File.dirname(write("in #{name}/#{name}")))
    end
    assert_as_namesake(:entries, tree)
    assert_as_namesake(:children, tree)
  end

  def test_relative_paths
    write("a", "here")
    Dir.chdir(tree) { assert_equal ["here", "file"], [Frugal.read("a"), Frugal.type("a")] }
    Dir.chdir(tree) { assert_nil Frugal.read("|echo") } # a name, not a command
  end

  # -- encodings --

  def test_read_in_the_encodings_of_file_read
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

  def test_names_in_the_encodings_of_dir
    write("\xE9t\xE9")
    write("ascii")
    links = [symlink("\xE9t\xE9", "link"), symlink("ascii", "plain"), symlink("日本", "to \xE9")]
    [["UTF-8", nil], ["ISO-8859-1", "UTF-8"], ["US-ASCII", nil], ["UTF-8", "ISO-8859-1"]].each do |external, internal|
      with_encodings(external, internal) do
        %i[entries children].each { |probe| JAVA ? assert_names_as_mri(probe) : assert_as_namesake(probe, tree) }
        links.each { |link| JAVA ? assert_target_as_mri(link) : assert_as_namesake(:readlink, link) }
      end
    end
  end

  private

  def assert_target_as_mri(link)
    target = with_encodings("UTF-8", nil) { Frugal.readlink(link) }
    assert_same_outcome(-> { target.force_encoding("filesystem") }, -> { Frugal.readlink(link) })
  end

  # JRuby has "?" for each character that the encoding of its texts lacks.
  def assert_names_as_mri(probe)
    bytes = with_encodings("BINARY", nil) { Frugal.public_send(probe, tree) }
    external = Encoding.find("filesystem")
    internal = Encoding.default_internal
    expected = bytes.map do |name|
      text = name.dup.force_encoding(external)
      next name if external == Encoding::US_ASCII && !text.ascii_only?

      internal ? text.encode(internal) : text
    rescue EncodingError
      text
    end
    assert_same_outcome(-> { expected }, -> { Frugal.public_send(probe, tree) })
  end
end

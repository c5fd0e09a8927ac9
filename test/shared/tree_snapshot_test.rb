# frozen_string_literal: true

require_relative "../test_helper"
require "pathname"
require "timeout"
require_relative "../support/tree_changes"

# The paths that are added to a tree and removed from it, with the engine of
# FRUGAL_ENGINE. The reference is the difference between two walks.
class TreeSnapshotTest < Frugal::TestCase
  include TreeChanges

  NAMES = %w[a b c a-b .h a.c].freeze

  def setup
    @root = mkdir("root")
  end

  def test_random_changes_against_two_walks
    assert_refreshes [{}, { hidden: true }, { ext: "c" }, { prune: "b" }, { glob: "*/a*" },
                      { hidden: true, threads: 1, glob: "**/*.c" }]
  end

  # -- one change at a time --

  def test_a_file_that_is_added_and_removed
    snapshot = snap
    assert_changes snapshot, added: %w[d d/a] do
      write("root/d/a")
    end
    assert_changes(snapshot) { File.write(path("root/d/a"), "other content") }
    assert_changes snapshot, removed: %w[d/a] do
      File.unlink(path("root/d/a"))
    end
    assert_empty snapshot.refresh
  end

  def test_changes_are_in_the_order_of_their_bytes
    snapshot = snap
    assert_changes snapshot, added: %w[a a-b a/b a0] do
      %w[root/a/b root/a-b root/a0].each { |name| write(name) }
    end
    assert_equal %w[a a/b a-b a0].map { |name| "#{@root}/#{name}" }, snapshot.paths
  end

  def test_a_directory_that_another_one_replaces
    %w[root/d/both root/d/old/x root/d/same/x away/both away/new/x away/same/x away/same/y].each { |name| write(name) }
    settle
    snapshot = snap
    assert_changes snapshot, added: %w[d/new d/new/x d/same/y], removed: %w[d/old d/old/x] do
      File.rename(path("root/d"), path("elsewhere"))
      File.rename(path("away"), path("root/d"))
    end
  end

  def test_another_directory_with_the_same_times
    write("root/d/old")
    write("away/new")
    [path("root/d"), path("away")].each { |directory| File.utime(1, 1, directory) }
    settle
    snapshot = snap
    assert_changes snapshot, added: %w[d/new], removed: %w[d/old] do
      File.rename(path("root/d"), path("elsewhere"))
      File.rename(path("away"), path("root/d"))
      File.utime(1, 1, path("root/d"))
      File.utime(1, 1, @root)
    end
  end

  def test_a_change_that_restores_the_mtime
    mkdir("root/d")
    File.utime(1, 1, path("root/d"))
    settle
    snapshot = snap
    assert_changes snapshot, added: %w[d/x] do
      write("root/d/x")
      File.utime(1, 1, path("root/d"))
    end
  end

  def test_a_file_that_becomes_a_directory_and_back
    write("root/a")
    write("root/d/x/y")
    snapshot = snap
    assert_changes snapshot, added: %w[a/in], removed: %w[d/x d/x/y] do
      File.unlink(path("root/a"))
      write("root/a/in")
      FileUtils.rm_r(path("root/d"))
      write("root/d")
    end
    assert_changes snapshot, added: %w[d/x], removed: %w[a/in] do
      FileUtils.rm_r(path("root/a"))
      symlink("d", "root/a")
      File.unlink(path("root/d"))
      write("root/d/x")
    end
  end

  def test_a_renamed_directory
    write("root/d/e/x")
    write("root/z/y")
    settle
    snapshot = snap
    assert_changes snapshot, added: %w[n n/e n/e/x z/e z/e/y], removed: %w[d d/e d/e/x z/y] do
      File.rename(path("root/d"), path("root/n"))
      mkdir("root/z/e")
      File.rename(path("root/z/y"), path("root/z/e/y"))
    end
  end

  def test_a_root_that_is_removed_and_created_again
    write("root/d/x")
    snapshot = snap
    assert_changes snapshot, removed: %w[d d/x] do
      FileUtils.rm_r(@root)
    end
    assert_changes(snapshot) { write("root") }
    assert_empty snapshot.paths
    assert_changes snapshot, added: %w[d d/x] do
      File.unlink(@root)
      write("root/d/x")
    end
    late = Frugal::TreeSnapshot.new(path("late"))
    assert_empty late.refresh
    write("late/x")
    assert_equal [path("late/x")], late.refresh.added
  end

  def test_links_are_listed_and_not_followed
    write("away/x")
    symlink("../away", "root/link")
    snapshot = snap
    assert_changes(snapshot) { write("away/y") }
    assert_changes(snapshot, removed: %w[link]) { File.unlink(path("root/link")) }
    link = Frugal::TreeSnapshot.new(symlink("away", "as-root"))
    write("away/z")
    assert_equal [path("as-root/z")], link.refresh.added
    %i[paths once].each do |follow|
      error = assert_raises(Frugal::UsageError) { Frugal::TreeSnapshot.new(@root, follow: follow) }
      assert_includes error.message, "follow:"
    end
  end

  def test_a_deep_and_a_wide_tree
    deep = "d/" * 120
    write("root/#{deep}leaf")
    300.times { |i| mkdir("root/wide/#{i}/below") }
    settle
    snapshot = snap
    assert_changes snapshot, added: ["#{deep}new", "wide/7/below/x"], removed: ["#{deep}leaf", "wide/299/below"] do
      File.rename(path("root/#{deep}leaf"), path("root/#{deep}new"))
      write("root/wide/7/below/x")
      Dir.rmdir(path("root/wide/299/below"))
    end
  end

  # -- as a walk --

  def test_names_and_encodings_are_those_of_a_walk
    [@root, "#{@root}/", Pathname(@root), @root.encode("US-ASCII"),
     @root.dup.force_encoding("ISO-8859-1")].each_with_index do |root, i|
      snapshot = Frugal::TreeSnapshot.new(root)
      ["new\nline#{i}", "\xFF#{i}", "ümlaut#{i}/日本"].each { |name| write("root/#{name}") }
      walk = Frugal.walk(root).to_a
      added = snapshot.refresh.added
      expected = walk.map(&:b).select { |name| name.include?(i.to_s) && name[@root.bytesize..].match?(/#{i}/n) }
      assert_equal expected.sort, added.map(&:b)
      assert_equal walk.first.encoding, added.first.encoding
      assert_equal walk, snapshot.paths
    end
  end

  def test_a_relative_root
    Dir.chdir(tree) do
      snapshot = Frugal::TreeSnapshot.new("root")
      write("root/x")
      assert_equal ["root/x"], snapshot.refresh.added
    end
  end

  def test_invalid_options
    assert_raises(Frugal::UsageError) { Frugal::TreeSnapshot.new(@root, threads: 0) }
    assert_raises(ArgumentError) { Frugal::TreeSnapshot.new(@root, stat: :mtime) }
    assert_raises(ArgumentError) { Frugal::TreeSnapshot.new("nul\0byte") }
    assert_raises(TypeError) { Frugal::TreeSnapshot.new(nil) }
  end

  def test_a_directory_that_cannot_be_read_is_listed_and_reported
    write("root/closed/d/x")
    File.chmod(0o755, tree)
    as_nobody do
      reported = []
      snapshot = Frugal::TreeSnapshot.new(@root, on_error: ->(name, error) { reported << [name, error.class] })
      assert_empty reported
      assert_changes(snapshot, removed: %w[closed/d closed/d/x]) { as_owner { File.chmod(0, path("root/closed")) } }
      assert_changes(snapshot)
      assert_equal [[path("root/closed"), Errno::EACCES]] * 2, reported
      # Only root, or a user who may write to the directory, can move it.
      assert_changes(snapshot, removed: %w[closed]) do
        as_owner { File.chmod(0o700, path("root/closed")) && File.rename(path("root/closed"), path("away")) }
      end
      as_owner { File.rename(path("away"), path("root/closed")) && File.chmod(0, path("root/closed")) }
      assert_changes(snapshot, added: %w[closed/d closed/d/x closed]) do
        as_owner { File.chmod(0o755, path("root/closed")) }
      end
      assert_equal 2, reported.size
      as_owner { File.chmod(0, @root) }
      assert_raises(Errno::EACCES) { snapshot.refresh }
      as_owner { File.chmod(0o755, @root) }
      assert_empty snapshot.refresh
    end
  end

  # -- threads, forks and interrupts --

  def test_threads_share_a_snapshot
    snapshot = snap
    added = Array.new(4) do |i|
      Thread.new do
        (0...25).flat_map do |j|
          write("root/#{i}/#{j}")
          snapshot.refresh.added
        end
      end
    end.flat_map(&:value)
    assert_equal Frugal.walk(@root).to_a.sort, (added + snapshot.refresh.added).sort
  end

  def test_a_child_process_has_its_own_copy
    skip "no fork here" unless Process.respond_to?(:fork)
    snapshot = snap
    write("root/x")
    reader, writer = IO.pipe
    child = fork do
      writer.puts snapshot.refresh.added
      writer.close
      exit!(true)
    end
    writer.close
    assert_equal "#{@root}/x\n", reader.read
    reader.close
    Process.wait(child)
    assert_equal ["#{@root}/x"], snapshot.refresh.added
  end

  def test_an_exception_during_a_refresh_leaves_the_snapshot_unchanged
    500.times { |i| write("root/#{i % 50}/#{i}/x") }
    snapshot = snap
    reported = []
    200.times do |i|
      write("root/#{i % 50}/new#{i}/x")
      Timeout.timeout(0.0005 * (i % 5)) { reported.concat(snapshot.refresh.added) } if i.odd?
    rescue Timeout::Error
      nil
    end
    threads = Thread.list.size
    assert_closes_its_descriptors do
      reported.concat(snapshot.refresh.added)
      assert_equal Frugal.walk(@root).to_a, snapshot.paths
    end
    assert_equal threads, Thread.list.size
    assert_empty reported.tally.reject { |_, times| times == 1 }
  end

  private

  def snap = Frugal::TreeSnapshot.new(@root)

  def assert_changes(snapshot, added: [], removed: [])
    yield if block_given?
    changes = snapshot.refresh
    assert_equal added.map { |name| "#{@root}/#{name}" }.sort, changes.added
    assert_equal removed.map { |name| "#{@root}/#{name}" }.sort, changes.removed
    assert_equal added.empty? && removed.empty?, changes.empty?
  end

  def apply(random, _, name, other)
    case random.rand(9)
    when 0, 1 then FileUtils.mkdir_p("#{name}/b/a.c")
    when 2, 3 then File.write(name, "")
    when 4 then rename(other, name)
    when 5 then FileUtils.rm_rf(other)
    when 6 then File.symlink("..", name)
    when 7
      FileUtils.rm_rf(other)
      FileUtils.mkdir_p("#{other}/a/b")
    when 8
      FileUtils.rm_rf(other)
      File.write(other, "")
    end
  end
end

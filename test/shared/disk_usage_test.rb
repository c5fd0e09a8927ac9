# frozen_string_literal: true

require_relative "../test_helper"
require "frugal/walk/disk_usage"
require "pathname"

# The sums of sizes in a walk, with the engine of FRUGAL_ENGINE; test/cli/walk_test.rb
# compares them with du(1).
class DiskUsageTest < Frugal::TestCase
  def usage(root = tree, **options) = Frugal::Walk::DiskUsage.of(root, **options)

  def test_a_directory_has_the_sum_of_everything_below_it
    write("a/b/x", "12345")
    write("a/y", "12")
    write("z", "1")
    usage = usage(ext: %w[x y z], glob: "**/[xyz]")
    assert_equal [[tree, 0]], usage.directories
    usage = usage(glob: "**/[xyz]")
    assert_equal [[path("a/b"), 5], [path("a"), 7], [tree, 8]], usage.directories
    assert_equal [8, 3], [usage.total, usage.paths]
    inside = [path("a"), path("a/b")].sum { |name| File.size(name) }
    assert_equal 8 + inside, usage().total
  end

  def test_a_parent_is_after_an_equal_subdirectory_in_any_order_on_disk
    %w[b/c/x a/d/x].each { |name| write(name, "1") }
    expected = %w[a/d b/c a b].map { |name| path(name) } << tree
    assert_equal expected, usage(glob: "**/x").directories.map(&:first)
    assert_equal expected, usage(glob: "**/x", threads: 1).directories.map(&:first)
  end

  def test_roots
    write("d/x", "1")
    assert_nil usage(path("missing"))
    assert_nil usage(path("d/x"))
    assert_equal [[path("d"), 1]], usage(Pathname(path("d"))).directories
    assert_equal [[path("d"), 1]], usage("#{path("d")}///").directories
    Dir.chdir(path("d")) do
      assert_equal [[".", 1]], usage(".").directories
      assert_equal [["..", 1]], usage("..", glob: "d/x").directories.last(1)
    end
    assert_equal [[mkdir("empty"), 0]], usage(path("empty")).directories
    assert_raises(Frugal::UsageError) { usage(follow: :always) }
  end

  def test_encodings
    skip "JRuby cannot reach names of broken UTF-8" if RUBY_ENGINE == "jruby"
    write("d/\xFF/\u00FC.c", "12")
    [tree, tree.b, tree.dup.force_encoding("US-ASCII"), tree.dup.force_encoding("ISO-8859-1")].each do |root|
      assert_equal [[path("d/\xFF").b, 2], [path("d").b, 2], [tree.b, 2]],
                   usage(root, ext: "c").directories.map { |name, bytes| [name.b, bytes] }
    end
    write("\u00FC/x", "1")
    odd = path("\u00FC").force_encoding("US-ASCII")
    assert_equal [[path("\u00FC").b, 1]], usage(odd).directories.map { |name, bytes| [name.b, bytes] }
  end

  def test_links_count_depending_on_follow
    write("d/x", "1" * 100)
    symlink("d", "to")
    symlink("d/x", "file")
    own = [path("to"), path("file"), path("d")].sum { |name| File.lstat(name).size }
    assert_equal own + 100, usage.total
    assert_equal (File.size(path("d")) * 2) + 300, usage(follow: :paths).total
    assert_includes usage(follow: :paths).directories, [path("to"), 100]
  end
end

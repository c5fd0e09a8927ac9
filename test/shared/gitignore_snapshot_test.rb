# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/ignore_world"
require_relative "../support/tree_changes"

# Frugal::TreeSnapshot with `gitignore: true`, with the engine of FRUGAL_ENGINE. The
# reference is the difference between two walks.
class GitignoreSnapshotTest < Frugal::TestCase
  include TreeChanges

  NAMES = %w[a b c a.c b.c .h].freeze
  RULES = ["", "a\n", "*.c\n", "b/\n", "!a\n", "/a/b\n", "*\n!*/\n", "!*.c\n", "#\n", "a/**\n", ".gitignore\n"].freeze
  OPTIONS = { gitignore: true, hidden: true }.freeze

  def setup
    @root = mkdir("top/root")
  end

  def test_random_changes_against_two_walks
    assert_refreshes([{}, { ext: "c" },
                      { hidden: false, threads: 1 }].map { |options| OPTIONS.merge(options) }) do |round|
      settle if (round % 12).zero?
    end
  end

  def test_rules_that_are_added_changed_and_removed
    %w[a.o d/b.o d/e/c.o d/e/c.c].each { |name| write("top/root/#{name}") }
    settle
    snapshot = snap
    assert_changes(snapshot, removed: %w[a.o d/b.o d/e/c.o]) { write("top/root/.gitignore", "*.o\n") }
    settle
    assert_changes(snapshot) { write("top/root/.gitignore", "# the same\n*.o\n") }
    settle
    assert_changes(snapshot, added: %w[d/e/c.o]) { write("top/root/d/e/.gitignore", "!*.o\n") }
    settle
    assert_changes(snapshot, removed: %w[d/e/c.o]) { rewrite("top/root/d/e/.gitignore", "") }
    settle
    assert_changes(snapshot, added: %w[d/e/c.o]) { rewrite("top/root/d/e/.gitignore", "!*.o\n") }
    settle
    assert_changes(snapshot, added: %w[a.o d/b.o], removed: %w[d/e/c.c]) { rewrite("top/root/.gitignore", "*.c\n") }
    # immediately after the listing
    assert_changes(snapshot, removed: %w[a.o d/b.o]) { rewrite("top/root/.gitignore", "*.o\n*.c\n") }
    assert_changes(snapshot, added: %w[a.o d/b.o d/e/c.c]) { File.unlink(path("top/root/.gitignore")) }
    assert_empty snapshot.refresh
  end

  def test_a_change_below_changed_rules_is_reported_once
    write("top/root/.gitignore", "*.i\n")
    write("top/root/d/e/old")
    write("top/root/d/e/a.o")
    settle
    snapshot = snap
    assert_changes snapshot, added: %w[d/e/new d/f d/f/x], removed: %w[d/e/a.o d/e/old] do
      rewrite("top/root/.gitignore", "*.o\n")
      File.rename(path("top/root/d/e/old"), path("top/root/d/e/new"))
      write("top/root/d/f/x")
      write("top/root/d/f/x.o")
    end
    assert_empty snapshot.refresh
  end

  def test_ignored_paths_are_not_examined
    write("top/root/.gitignore", "out\n")
    write("top/root/out/x")
    settle
    snapshot = snap
    assert_changes(snapshot) { write("top/root/out/y") }
    assert_changes(snapshot, added: %w[z]) { write("top/root/z") }
  end

  def test_rules_above_the_root_and_exclude
    %w[a.o b.c d/e.o d/f.c].each { |name| write("top/root/#{name}") }
    settle
    snapshot = snap
    assert_changes(snapshot) { write("top/.gitignore", "*.o\n") } # outside any repository
    assert_changes(snapshot, removed: %w[a.o d/e.o]) { IgnoreWorld.new([], {}).build(path("top")) }
    assert_changes(snapshot, removed: %w[d/f.c]) { write("top/.git/info/exclude", "/root/d/*.c\n") }
    assert_changes(snapshot, added: %w[d/f.c], removed: %w[b.c]) { rewrite("top/.git/info/exclude", "/root/b.c\n") }
    assert_changes(snapshot, removed: %w[d d/f.c]) { rewrite("top/.gitignore", "root\n") }
    assert_changes(snapshot, added: %w[a.o b.c d d/e.o d/f.c]) { FileUtils.rm_r(path("top/.git")) }
    assert_changes(snapshot, removed: %w[b.c]) do
      IgnoreWorld.new([], { IgnoreWorld::EXCLUDE => "b.c\n" }).build(@root)
    end
    assert_changes(snapshot, added: %w[b.c], removed: %w[d/f.c]) { rewrite("top/root/.git/info/exclude", "f.c\n") }
  end

  def test_a_repository_in_the_tree
    write("top/root/.gitignore", "*.o\n")
    %w[in/a.o in/b.c].each { |name| write("top/root/#{name}") }
    settle
    snapshot = snap
    assert_changes(snapshot, added: %w[in/a.o]) { IgnoreWorld.new([], {}).build(path("top/root/in")) }
    settle
    assert_changes(snapshot, removed: %w[in/b.c]) { rewrite("top/root/in/.git/info/exclude", "*.c\n") }
    settle
    assert_changes(snapshot, added: %w[in/b.c], removed: %w[in/a.o]) { FileUtils.rm_r(path("top/root/in/.git")) }
  end

  # Neither HEAD nor info/exclude changes the times of the directory that has the .git.
  def test_a_git_folder_that_becomes_a_repository_and_ceases_to_be_one
    %w[a.o in/b.c in/d/e.c].each { |name| write("top/root/#{name}") }
    %w[.git in/.git].each { |name| write("top/root/#{name}/info/exclude", name.start_with?("in") ? "b.c\n" : "*.o\n") }
    write("top/root/in/.gitignore", "e.c\n")
    settle
    snapshot = snap
    settle
    assert_changes(snapshot, removed: %w[a.o]) { write("top/root/.git/HEAD") }
    assert_changes(snapshot, removed: %w[in/b.c]) { write("top/root/in/.git/HEAD") }
    settle
    assert_changes(snapshot, added: %w[a.o in/b.c]) do
      %w[.git in/.git].each { |name| File.unlink(path("top/root/#{name}/HEAD")) }
    end
    assert_empty snapshot.refresh
  end

  def test_a_root_that_is_removed_and_created_again
    write("top/root/.gitignore", "*.o\n")
    write("top/root/a.c")
    snapshot = snap
    assert_changes(snapshot, removed: %w[.gitignore a.c]) { FileUtils.rm_r(@root) }
    assert_empty snapshot.refresh
    assert_changes(snapshot, added: %w[d d/a.c]) { write("top/root/d/a.c") }
  end

  private

  def snap = Frugal::TreeSnapshot.new(@root, **OPTIONS)

  # Does not change the directory.
  def rewrite(name, content) = File.binwrite(path(name), content)

  def assert_changes(snapshot, added: [], removed: [])
    before = snapshot.paths
    yield
    rules = Frugal.walk(@root, **OPTIONS).to_a
    changes = snapshot.refresh
    own = lambda do |paths|
      names = paths.map { |name| name.delete_prefix("#{@root}/") }
      names.reject { |name| name.end_with?(".gitignore") && !removed.include?(name) }
    end
    assert_equal [added.sort, removed.sort], [own.call(changes.added), own.call(changes.removed)]
    assert_equal [(rules - before).sort, (before - rules).sort], [changes.added, changes.removed]
    assert_equal rules, snapshot.paths
  end

  def apply(random, directory, name, other)
    case random.rand(11)
    when 0, 1 then FileUtils.mkdir_p("#{name}/b/a.c")
    when 2 then File.write(name, "")
    when 3 then rename(other, name)
    when 4 then FileUtils.rm_rf(other)
    when 5..8 then File.write("#{directory}/.gitignore", RULES.sample(2, random: random).join)
    when 9 then File.write(path("top/.gitignore"), RULES.sample(random: random))
    when 10 then repository(random, [path("top"), directory].sample(random: random))
    end
  end

  # Creates, removes or changes the repository's files.
  def repository(random, directory)
    return FileUtils.rm_rf("#{directory}/.git") if random.rand(2).zero?

    IgnoreWorld.new([], { IgnoreWorld::EXCLUDE => RULES.sample(random: random) }).build(directory)
  end
end

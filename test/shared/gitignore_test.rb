# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/ignore_generator"

# The paths that a walk leaves out with `gitignore: true`, with the engine of
# FRUGAL_ENGINE. The reference is git. test/unit/ignore_rules_test.rb tests single
# patterns.
#
#   IGNORE_WORLDS=1000 IGNORE_SEED=7 ruby -w -Ilib -Itest test/shared/gitignore_test.rb -n /random/
class GitignoreTest < Frugal::TestCase
  WORLDS = Integer(ENV.fetch("IGNORE_WORLDS", 20))
  SEED = Integer(ENV.fetch("IGNORE_SEED", Random.new_seed % 1_000_000_000))
  JRUBY = RUBY_ENGINE == "jruby"

  def setup
    skip "git is not here" unless system("git", "--version", out: File::NULL, err: File::NULL)
    @root = path("root")
  end

  def test_random_trees_against_git
    generator = IgnoreGenerator.new(SEED, disputed: IgnoreWorld.disputed?(path("disputed")))
    out = Array.new(WORLDS) do |i|
      world = generator.world
      # Java's names cannot be arbitrary bytes.
      world = generator.world until !JRUBY || world.paths.keys.all?(&:ascii_only?)
      root = path("world#{i}")
      world.build(root)
      check_world(root, world, "IGNORE_SEED=#{SEED}, world #{i}: #{world}").tap { FileUtils.remove_entry(root) }
    end
    assert_operator out.sum, :>, JRUBY ? 0 : WORLDS
  end

  # -- which rules apply --

  def test_rules_above_the_root_and_info_exclude
    repository "root"
    create_files ".gitignore" => "*.o\n/sub/deep/x\n", ".git/info/exclude" => "*.tmp\n/sub/deep/y\n!a.o\n",
                 "sub/.gitignore" => "!keep.o\ndeep/z\n"
    %w[sub/deep/a.o sub/deep/keep.o sub/deep/a.tmp sub/deep/x sub/deep/y sub/deep/z sub/deep/in/x].each do |name|
      create_files(name => "")
    end
    assert_listed %w[in in/x keep.o], "root/sub/deep"
    assert_listed %w[deep deep/in deep/in/x deep/keep.o], "root/sub"
    Dir.chdir(path("root/sub")) do
      assert_equal %w[./deep ./deep/in ./deep/in/x ./deep/keep.o],
                   Frugal.walk(".", gitignore: true).to_a
    end
    assert_listed %w[in in/x keep.o], symlink("root/sub/deep", "link").delete_prefix("#{tree}/")
  end

  def test_leaves_out_git_folders_and_tracked_files_that_are_ignored
    git "init", "-q", "."
    create_files ".gitignore" => "*.o\n", "a.o" => "", "b.c" => "", "d/.git" => "no repository"
    git "add", "-f", "a.o"
    assert_listed %w[.gitignore b.c d], "root", hidden: true
    assert_listed %w[b.c d], "root"
    assert_includes Frugal.walk(@root, hidden: true).to_a, "#{@root}/.git"
  end

  def test_nothing_is_listed_below_an_ignored_directory
    repository "root"
    create_files ".gitignore" => "out\n", "out/.gitignore" => "!*\n", "out/in/x" => "", "link/x" => ""
    assert_listed %w[link link/x], "root"
    %w[out out/in].each do |folder|
      assert_empty git("ls-files", "-o", "--exclude-standard", folder: "root/#{folder}")
      assert_listed [], "root/#{folder}"
      assert_equal 0, Frugal.count(path("root/#{folder}"), gitignore: true)
      assert_empty Frugal.each_path(path("root/#{folder}"), gitignore: true, sort: false).to_a
    end
  end

  def test_outside_a_repository_rules_apply_from_the_root_on
    write(".gitignore", "*.c\n")
    create_files ".gitignore" => "*.o\n", "a.o" => "", "a.c" => "", "d/b.o" => ".", "d/.gitignore" => "!b.o\n",
                 "e/.git/config" => ""
    assert_listed %w[a.c d d/b.o e], "root"
    assert_listed %w[b.o], "root/d"
    assert_nil Frugal.walk(path("missing"), gitignore: true)
  end

  def test_a_linked_work_tree_uses_the_main_info_exclude
    git "init", "-q", "."
    git "-c", "user.name=a", "-c", "user.email=b", "commit", "-q", "--allow-empty", "-m", "first"
    git "worktree", "add", "-q", "../other", "-b", "other"
    create_files ".git/info/exclude" => "*.tmp\n"
    %w[a.tmp b.c d/a.tmp d/x].each { |name| write("other/#{name}") }
    assert_equal %w[b.c d/x], git("ls-files", "-o", "--exclude-standard", folder: "other").lines(chomp: true)
    assert_listed %w[b.c d d/x], "other"
    assert_listed %w[x], "other/d"
  end

  def test_a_work_tree_with_its_repository_elsewhere
    mkdir("root")
    git "init", "-q", "--separate-git-dir", "../kept", "."
    write("kept/info/exclude", "*.tmp\n")
    create_files "a.tmp" => "", "d/a.tmp" => "", "d/x" => ""
    assert_listed %w[d d/x], "root"
    assert_listed %w[x], "root/d"
    create_files ".git" => "gitdir: #{path("kept")}\r\n"
    assert_listed %w[x], "root/d"
    create_files ".git" => "gitdir: ../nowhere\n"
    assert_listed %w[a.tmp x], "root/d"
  end

  def test_a_repository_in_another_one_uses_its_own_rules
    repository "root"
    repository "root/in/own"
    create_files ".gitignore" => "*.o\n/in/own/x\n", ".git/info/exclude" => "*.c\n", "in/a.o" => "",
                 "in/own/.gitignore" => "*.h\n", "in/own/.git/info/exclude" => "*.i\n"
    %w[a.o a.c a.h a.i x].each { |name| create_files("in/own/#{name}" => "") }
    assert_listed %w[in in/own in/own/a.c in/own/a.o in/own/x], "root"
    assert_listed %w[a.c a.o x], "root/in/own"
    assert_equal %w[.gitignore a.c a.o x],
                 git("ls-files", "-o", "--exclude-standard", folder: "root/in/own").lines(chomp: true)
  end

  def test_names_in_other_alphabets
    repository "root"
    create_files "日本/.gitignore" => "ü\n*.ö\n", "日本/ü" => "", "日本/ä.ö" => "", "日本/ß/é.ö" => "", "日本/ß/é" => ""
    assert_listed %w[日本 日本/ß 日本/ß/é], "root"
    assert_listed %w[é], "root/日本/ß"
  end

  # -- special files --

  def test_a_gitignore_that_is_a_link_directory_or_pipe_is_not_read
    repository "root"
    create_files "rules" => "*.o\n", "a/x.o" => "", "b/x.o" => "", "c/x.o" => "", "b/.gitignore/x" => "", "e/x.o" => "",
                 "e/.gitignore" => ""
    symlink("../rules", "root/a/.gitignore")
    File.mkfifo(path("root/c/.gitignore")) unless JRUBY
    files = git("ls-files", "-o", "--exclude-standard", folder: "root/a").lines(chomp: true)
    assert_equal %w[.gitignore x.o], files
    %w[a b c e].each { |folder| assert_includes Frugal.walk(@root, gitignore: true).to_a, "#{@root}/#{folder}/x.o" }
    mkdir("root/a/d")
    create_files "a/d/y.o" => "", "b/d/y.o" => "", "c/d/y.o" => ""
    %w[a b c].each { |folder| assert_listed %w[y.o], "root/#{folder}/d" }
  end

  def test_info_exclude_may_be_a_link
    repository "root"
    create_files "rules" => "*.o\n", "a.o" => "", "d/a.o" => ""
    File.unlink(path("root/.git/info/exclude"))
    symlink("../../rules", "root/.git/info/exclude")
    assert_listed %w[d rules], "root"
    assert_listed [], "root/d"
  end

  def test_rules_that_cannot_be_read_are_reported
    repository "root"
    create_files ".gitignore" => "*.o\n", "d/.gitignore" => "*.c\n", "d/in/a.c" => "", "d/a.o" => ""
    [tree, @root].each { |folder| File.chmod(0o755, folder) }
    %w[d/.gitignore .git/info/exclude].each { |name| File.chmod(0, path("root/#{name}")) }
    as_nobody do
      { "root" => %w[d d/in d/in/a.c], "root/d/in" => %w[a.c] }.each do |root, expected|
        reported = []
        list = Frugal.walk(path(root), gitignore: true, on_error: ->(name, error) { reported << [name, error.class] })
        assert_equal expected.map { |name| path("#{root}/#{name}") }, list.to_a
        assert_equal [[path("root/.git/info/exclude"), Errno::EACCES], [path("root/d/.gitignore"), Errno::EACCES]],
                     reported.sort
      end
    end
  end

  # -- with other options --

  def test_links_are_files_and_rules_match_the_path_through_the_link
    repository "root"
    create_files ".gitignore" => "link/\n/to/x\nonce\n", "d/x" => "", "d/y" => "", "d/.gitignore" => "/y\n",
                 "once/z" => ""
    symlink("d", "root/link")
    symlink("d", "root/to")
    symlink("once", "root/way")
    assert_listed %w[d d/x link to way], "root"
    assert_listed %w[d d/x link link/x to way way/z], "root", follow: :paths
    assert_listed %w[d d/x link to way way/z], "root", follow: :once
  end

  def test_columns_and_usage
    repository "root"
    create_files ".gitignore" => "*.o\n", "a.o" => "12345", "b.c" => "123", "d/a.o" => "1234567", "d/c" => "1"
    list = Frugal.walk(@root, gitignore: true, stat: :size, glob: "**/[bc]*")
    assert_equal [%w[b.c d/c].map { |name| "#{@root}/#{name}" }, [3, 1]], [list.to_a, list.column(:size)]
    counts = [{ ext: %w[c o] }, { glob: "*/c" }].map { |options| Frugal.count(@root, gitignore: true, **options) }
    assert_equal 2, counts.sum
  end

  def test_a_tree_whose_paths_are_longer_than_path_max
    skip "the pure engine goes by paths" unless Frugal::Native.engine_name == :c
    repository "root"
    create_files ".gitignore" => "*.o\n**/leaf/x\n", "deep/.gitignore" => "*.i\n"
    bottom = deep("deep", 40) # names of 200 bytes
    assert_operator bottom.bytesize, :>, 4096
    here = Dir.pwd
    begin
      Dir.chdir(path("root/deep"))
      40.times { Dir.chdir("d" * 200) }
      %w[a.o a.i keep].each { |name| File.write(name, "") }
      File.write(".gitignore", "*.c\n")
      FileUtils.mkdir_p("leaf")
      %w[leaf/x leaf/y leaf/a.c leaf/a.i].each { |name| File.write(name, "") }
    ensure
      Dir.chdir(here)
    end
    [1, 4].each do |threads|
      found = Frugal.walk(@root, gitignore: true, threads: threads).to_a
      assert_equal ["/keep", "/leaf", "/leaf/y"], found.last(3).map { |name| name.delete_prefix(bottom) }
      assert_equal 44, found.size
    end
  ensure
    # FileUtils cannot remove such a deep tree.
    run_command("rm", "-rf", path("root")) if @root
  end

  private

  # @return [Integer] the number of ignored files
  def check_world(root, world, label)
    verdicts = world.git_verdicts
    kept = verdicts.reject { |_, verdict| verdict == :out }.keys.sort
    listed = ->(found) { found.map { |name| name.b.byteslice(root.bytesize + 1..) }.sort }
    everything = Frugal.walk(root, gitignore: true, hidden: true)
    assert_equal kept, listed.call(everything), label
    [{ threads: 1 }, { sort: false, threads: 4 }].each do |options|
      assert_equal kept, listed.call(Frugal.walk(root, gitignore: true, hidden: true, **options)), label
    end
    assert_equal kept, listed.call(Frugal.each_path(root, gitignore: true, hidden: true, sort: false)), label
    check_options(root, everything.to_a, label)
    world.paths.select { |_, directory| directory }.keys.first(3).each do |folder|
      files = Frugal.walk(File.join(root, folder), gitignore: true,
                                                   hidden: true).map { |name| name.b.byteslice(root.bytesize + folder.bytesize + 2..) }
      assert_equal world.git_files(folder), files.reject { |name| world.paths["#{folder}/#{name}"] }.sort,
                   "#{folder.inspect} #{label}"
    end
    verdicts.size - kept.size
  end

  # Compares other options with the paths that git lists.
  def check_options(root, everything, label)
    [{ ext: "o" }, { hidden: true, glob: "*/*" }, { prune: "lib", sort: false },
     { hidden: true, follow: :paths, prune: "*" }].each do |options|
      both = Frugal.walk(root, **options).to_a & everything
      assert_equal both, Frugal.walk(root, gitignore: true, **options).to_a, "#{options} #{label}"
    end
  end

  def assert_listed(names, root, **options)
    expected = names.map { |name| "#{path(root)}/#{name}" }
    assert_equal expected, Frugal.walk(path(root), gitignore: true, **options).to_a
    assert_equal expected, Frugal.walk(path(root), gitignore: true, threads: 1, **options).to_a
  end

  def repository(name) = IgnoreWorld.new([], {}).build(mkdir(name))

  def create_files(files) = files.each { |name, content| write("root/#{name}", content) }

  def git(*arguments, folder: "root") = IgnoreWorld.git(*arguments, chdir: mkdir(folder))

  # Creates nested directories with names of 200 bytes.
  #
  # @return [String] the path of the deepest
  def deep(name, levels)
    here = Dir.pwd
    Dir.chdir(path("root/#{name}"))
    levels.times do
      Dir.mkdir("d" * 200)
      Dir.chdir("d" * 200)
    end
    "#{@root}/#{name}#{"/#{"d" * 200}" * levels}"
  ensure
    Dir.chdir(here)
  end
end

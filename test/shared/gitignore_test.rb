# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/ignore_generator"

# What a walk leaves out with gitignore: true, under the engine that
# FRUGAL_ENGINE names. The reference is git; single patterns are
# test/unit/ignore_rules_test.rb's.
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
      world = generator.world until !JRUBY || world.paths.keys.all?(&:ascii_only?) # bytes are no names to Java
      root = path("world#{i}")
      world.build(root)
      check_world(root, world, "IGNORE_SEED=#{SEED}, world #{i}: #{world}").tap { FileUtils.remove_entry(root) }
    end
    assert_operator out.sum, :>, JRUBY ? 0 : WORLDS
  end

  # -- which files count --

  def test_those_above_the_root_and_exclude
    repository "root"
    plant ".gitignore" => "*.o\n/sub/deep/x\n", ".git/info/exclude" => "*.tmp\n/sub/deep/y\n!a.o\n", "sub/.gitignore" => "!keep.o\ndeep/z\n"
    %w[sub/deep/a.o sub/deep/keep.o sub/deep/a.tmp sub/deep/x sub/deep/y sub/deep/z sub/deep/in/x].each { |name| plant(name => "") }
    assert_listed %w[in in/x keep.o], "root/sub/deep"
    assert_listed %w[deep deep/in deep/in/x deep/keep.o], "root/sub"
    Dir.chdir(path("root/sub")) { assert_equal %w[./deep ./deep/in ./deep/in/x ./deep/keep.o], Frugal.walk(".", gitignore: true).to_a }
    assert_listed %w[in in/x keep.o], symlink("root/sub/deep", "link").delete_prefix("#{tree}/")
  end

  def test_git_itself_is_left_out_and_files_that_it_tracks_are_not_kept
    git "init", "-q", "."
    plant ".gitignore" => "*.o\n", "a.o" => "", "b.c" => "", "d/.git" => "no repository"
    git "add", "-f", "a.o"
    assert_listed %w[.gitignore b.c d], "root", hidden: true
    assert_listed %w[b.c d], "root"
    assert_includes Frugal.walk(@root, hidden: true).to_a, "#{@root}/.git"
  end

  def test_below_an_ignored_directory_there_is_nothing
    repository "root"
    plant ".gitignore" => "out\n", "out/.gitignore" => "!*\n", "out/in/x" => "", "link/x" => ""
    assert_listed %w[link link/x], "root"
    %w[out out/in].each do |folder|
      assert_empty git("ls-files", "-o", "--exclude-standard", folder: "root/#{folder}")
      assert_listed [], "root/#{folder}"
      assert_equal 0, Frugal.count(path("root/#{folder}"), gitignore: true)
      assert_empty Frugal.each_path(path("root/#{folder}"), gitignore: true, sort: false).to_a
    end
  end

  def test_outside_a_repository_those_from_the_root_on
    write(".gitignore", "*.c\n")
    plant ".gitignore" => "*.o\n", "a.o" => "", "a.c" => "", "d/b.o" => ".", "d/.gitignore" => "!b.o\n", "e/.git/config" => ""
    assert_listed %w[a.c d d/b.o e], "root"
    assert_listed %w[b.o], "root/d"
    assert_nil Frugal.walk(path("missing"), gitignore: true)
  end

  def test_another_work_tree_has_the_main_ones_exclude
    git "init", "-q", "."
    git "-c", "user.name=a", "-c", "user.email=b", "commit", "-q", "--allow-empty", "-m", "first"
    git "worktree", "add", "-q", "../other", "-b", "other"
    plant ".git/info/exclude" => "*.tmp\n"
    %w[a.tmp b.c d/a.tmp d/x].each { |name| write("other/#{name}") }
    assert_equal %w[b.c d/x], git("ls-files", "-o", "--exclude-standard", folder: "other").lines(chomp: true)
    assert_listed %w[b.c d d/x], "other"
    assert_listed %w[x], "other/d"
  end

  def test_a_repository_elsewhere
    mkdir("root")
    git "init", "-q", "--separate-git-dir", "../kept", "."
    write("kept/info/exclude", "*.tmp\n")
    plant "a.tmp" => "", "d/a.tmp" => "", "d/x" => ""
    assert_listed %w[d d/x], "root"
    assert_listed %w[x], "root/d"
    plant ".git" => "gitdir: #{path("kept")}\r\n"
    assert_listed %w[x], "root/d"
    plant ".git" => "gitdir: ../nowhere\n"
    assert_listed %w[a.tmp x], "root/d"
  end

  def test_a_repository_in_another_one_is_its_own
    repository "root"
    repository "root/in/own"
    plant ".gitignore" => "*.o\n/in/own/x\n", ".git/info/exclude" => "*.c\n", "in/a.o" => "",
          "in/own/.gitignore" => "*.h\n", "in/own/.git/info/exclude" => "*.i\n"
    %w[a.o a.c a.h a.i x].each { |name| plant("in/own/#{name}" => "") }
    assert_listed %w[in in/own in/own/a.c in/own/a.o in/own/x], "root"
    assert_listed %w[a.c a.o x], "root/in/own"
    assert_equal %w[.gitignore a.c a.o x], git("ls-files", "-o", "--exclude-standard", folder: "root/in/own").lines(chomp: true)
  end

  def test_names_in_other_alphabets
    repository "root"
    plant "日本/.gitignore" => "ü\n*.ö\n", "日本/ü" => "", "日本/ä.ö" => "", "日本/ß/é.ö" => "", "日本/ß/é" => ""
    assert_listed %w[日本 日本/ß 日本/ß/é], "root"
    assert_listed %w[é], "root/日本/ß"
  end

  # -- files that are none --

  def test_a_link_a_directory_and_a_pipe_say_nothing
    repository "root"
    plant "rules" => "*.o\n", "a/x.o" => "", "b/x.o" => "", "c/x.o" => "", "b/.gitignore/x" => "", "e/x.o" => "", "e/.gitignore" => ""
    symlink("../rules", "root/a/.gitignore")
    File.mkfifo(path("root/c/.gitignore")) unless JRUBY
    files = git("ls-files", "-o", "--exclude-standard", folder: "root/a").lines(chomp: true)
    assert_equal %w[.gitignore x.o], files
    %w[a b c e].each { |folder| assert_includes Frugal.walk(@root, gitignore: true).to_a, "#{@root}/#{folder}/x.o" }
    mkdir("root/a/d")
    plant "a/d/y.o" => "", "b/d/y.o" => "", "c/d/y.o" => ""
    %w[a b c].each { |folder| assert_listed %w[y.o], "root/#{folder}/d" }
  end

  def test_exclude_may_be_a_link
    repository "root"
    plant "rules" => "*.o\n", "a.o" => "", "d/a.o" => ""
    File.unlink(path("root/.git/info/exclude"))
    symlink("../../rules", "root/.git/info/exclude")
    assert_listed %w[d rules], "root"
    assert_listed [], "root/d"
  end

  def test_one_that_cannot_be_read_is_told
    repository "root"
    plant ".gitignore" => "*.o\n", "d/.gitignore" => "*.c\n", "d/in/a.c" => "", "d/a.o" => ""
    [tree, @root].each { |folder| File.chmod(0o755, folder) }
    %w[d/.gitignore .git/info/exclude].each { |name| File.chmod(0, path("root/#{name}")) }
    as_nobody do
      { "root" => %w[d d/in d/in/a.c], "root/d/in" => %w[a.c] }.each do |root, expected|
        told = []
        list = Frugal.walk(path(root), gitignore: true, on_error: ->(name, error) { told << [name, error.class] })
        assert_equal expected.map { |name| path("#{root}/#{name}") }, list.to_a
        assert_equal [[path("root/.git/info/exclude"), Errno::EACCES], [path("root/d/.gitignore"), Errno::EACCES]], told.sort
      end
    end
  end

  # -- with other options --

  def test_links_are_no_directories_and_rules_go_by_the_path_as_reached
    repository "root"
    plant ".gitignore" => "link/\n/to/x\nonce\n", "d/x" => "", "d/y" => "", "d/.gitignore" => "/y\n", "once/z" => ""
    symlink("d", "root/link")
    symlink("d", "root/to")
    symlink("once", "root/way")
    assert_listed %w[d d/x link to way], "root"
    assert_listed %w[d d/x link link/x to way way/z], "root", follow: :paths
    assert_listed %w[d d/x link to way way/z], "root", follow: :once
  end

  def test_columns_and_usage
    repository "root"
    plant ".gitignore" => "*.o\n", "a.o" => "12345", "b.c" => "123", "d/a.o" => "1234567", "d/c" => "1"
    list = Frugal.walk(@root, gitignore: true, stat: :size, glob: "**/[bc]*")
    assert_equal [%w[b.c d/c].map { |name| "#{@root}/#{name}" }, [3, 1]], [list.to_a, list.column(:size)]
    assert_equal 2, Frugal.count(@root, gitignore: true, ext: %w[c o]) + Frugal.count(@root, gitignore: true, glob: "*/c")
  end

  def test_a_tree_that_is_deeper_than_a_path_may_be_long
    skip "the pure engine goes by paths" unless Frugal::Native.engine_name == :c
    repository "root"
    plant ".gitignore" => "*.o\n**/leaf/x\n", "deep/.gitignore" => "*.i\n"
    bottom = deep("deep", 40) # of 200 bytes each
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
    # Too deep for FileUtils.
    run_command("rm", "-rf", path("root")) if @root
  end

  private

  # @return [Integer] how many are ignored
  def check_world(root, world, label)
    verdicts = world.git_verdicts
    kept = verdicts.reject { |_, verdict| verdict == :out }.keys.sort
    listed = ->(found) { found.map { |name| name.b.byteslice(root.bytesize + 1..) }.sort }
    everything = Frugal.walk(root, gitignore: true, hidden: true)
    assert_equal kept, listed.(everything), label
    [{ threads: 1 }, { sort: false, threads: 4 }].each { |options| assert_equal kept, listed.(Frugal.walk(root, gitignore: true, hidden: true, **options)), label }
    assert_equal kept, listed.(Frugal.each_path(root, gitignore: true, hidden: true, sort: false)), label
    check_options(root, everything.to_a, label)
    world.paths.select { |_, directory| directory }.keys.first(3).each do |folder|
      files = Frugal.walk(File.join(root, folder), gitignore: true, hidden: true).map { |name| name.b.byteslice(root.bytesize + folder.bytesize + 2..) }
      assert_equal world.git_files(folder), files.reject { |name| world.paths["#{folder}/#{name}"] }.sort, "#{folder.inspect} #{label}"
    end
    verdicts.size - kept.size
  end

  # What a filter leaves, and git would list.
  def check_options(root, everything, label)
    [{ ext: "o" }, { hidden: true, glob: "*/*" }, { prune: "lib", sort: false }, { hidden: true, follow: :paths, prune: "*" }].each do |options|
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

  def plant(files) = files.each { |name, content| write("root/#{name}", content) }

  def git(*arguments, folder: "root") = IgnoreWorld.git(*arguments, chdir: mkdir(folder))

  # @return [String] its path, made of names of 200 bytes each
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

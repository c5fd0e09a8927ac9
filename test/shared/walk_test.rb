# frozen_string_literal: true

require_relative "../test_helper"
require "find"
require "pathname"
require "timeout"

# What a walk lists, with the engine of FRUGAL_ENGINE. The reference is Dir.glob and
# find(1).
class WalkTest < Frugal::TestCase
  # -- order and names --

  def test_a_walk_is_a_recursive_glob
    create_tree
    assert_equal glob("#{tree}/**/*"), Frugal.walk(tree).to_a
    assert_equal glob("#{tree}/**/*", File::FNM_DOTMATCH).reject { |path| path.end_with?("/.") || path == tree },
                 Frugal.walk(tree, hidden: true).to_a
    assert_equal Frugal.walk(tree).to_a, Frugal.walk(tree, threads: 1).to_a
    assert_equal Frugal.walk(tree).to_a, Frugal.walk(tree, threads: 16).to_a
    assert_equal Frugal.walk(tree).to_a.sort, Frugal.walk(tree, sort: false).to_a.sort
  end

  def test_a_wide_and_a_deep_tree
    2000.times { |i| write("wide/#{(i * 7919) % 2000}") }
    write("deep/#{"d/" * 300}leaf")
    assert_equal glob("#{tree}/**/*"), Frugal.walk(tree).to_a
  end

  def test_names_that_sort_alike_in_their_first_bytes
    %w[aaaaaaaa aaaaaaaab aaaaaaaa.c aaaaaaaa0 aaaaaaa aaaaaaaac/x].each { |name| write(name) }
    assert_equal glob("#{tree}/**/*"), Frugal.walk(tree).to_a
  end

  def test_special_names_in_the_encodings_of_dir_glob
    ["sp ace", "new\nline", "-dash", "*?[", "ümlaut", "\xFF\xFE", "日本", "ß/日本/é", "~",
     "{a,b}"].each { |name| write("d/#{name}") }
    [tree, tree.encode("US-ASCII"), tree.dup.force_encoding("ISO-8859-1")].each do |root|
      assert_equal Dir.glob("**/*", base: root).size, Frugal.walk(root).size
      expected = glob("#{root}/**/*")
      assert_equal expected, Frugal.walk(root).to_a
      assert_equal expected.map(&:encoding), Frugal.walk(root).map(&:encoding)
    end
  end

  def test_roots
    write("d/a")
    assert_equal [path("d/a")], Frugal.walk(Pathname(path("d"))).to_a
    assert_equal [path("d/a")], Frugal.walk("#{path("d")}/").to_a
    assert_equal [path("l/a")], Frugal.walk(symlink("d", "l")).to_a
    assert_equal [], Frugal.walk(mkdir("empty")).to_a
    assert_nil Frugal.walk(path("missing"))
    assert_nil Frugal.walk(path("d/a"))
    assert_nil Frugal.count(path("missing"))
    assert_nil Frugal.each_path(path("missing")) { flunk }
    Dir.chdir(tree) { assert_equal %w[d/a], Frugal.walk("d").to_a }
    assert_raises(ArgumentError) { Frugal.walk("nul\0byte") }
    assert_raises(TypeError) { Frugal.walk(nil) }
    assert_raises(Errno::ELOOP) { Frugal.walk(symlink("self", "self")) }
  end

  # -- the list --

  def test_a_list
    create_tree
    list = Frugal.walk(tree)
    paths = glob("#{tree}/**/*")
    assert_equal paths.size, list.size
    assert_equal [paths.first, paths.last, paths[3], paths[-2]], [list.first, list.last, list[3], list[-2]]
    assert_nil list[paths.size]
    assert_nil list[-paths.size - 1]
    assert_equal paths, list.each.to_a
    assert_equal paths.select { |path| path.end_with?("c") }, list.select { |path| path.end_with?("c") }
    list.first << "changed"
    assert_equal paths.first, list.first
    refute_predicate list, :empty?
  end

  def test_columns_are_parallel_to_the_paths
    write("a", "12345", mtime: Time.at(1_700_000_000, 123_456_789, :nsec))
    write("b/c", "1", mtime: Time.at(5))
    symlink("a", "link")
    symlink("nowhere", "broken")
    [false, :paths].each do |follow|
      list = Frugal.walk(tree, stat: %i[mtime size], follow: follow)
      stats = list.map { |path| follow && File.exist?(path) ? File.stat(path) : File.lstat(path) }
      assert_equal stats.map(&:size), list.column(:size)
      assert_equal(stats.map { |stat| (stat.mtime.to_i * 1_000_000_000) + stat.mtime.nsec }, list.column(:mtime))
    end
    assert_equal [5], Frugal.walk(tree, glob: "a", stat: :size).column(:size)
    assert_raises(Frugal::UsageError) { Frugal.walk(tree).column(:size) }
  end

  def test_count_and_each_path
    create_tree
    paths = glob("#{tree}/**/*")
    assert_equal paths.size, Frugal.count(tree)
    assert_equal paths, Frugal.each_path(tree).to_a
    assert_equal paths.sort, Frugal.each_path(tree, sort: false).to_a.sort
    assert_equal paths.grep(/\.c\z/), Frugal.each_path(tree, ext: "c").to_a
    assert_equal paths.first(2), Frugal.each_path(tree).first(2)
    assert_equal paths.grep(/\.c\z/).first, Frugal.each_path(tree, ext: "c").next
  end

  # -- filters --

  def test_ext_and_glob_and_prune
    create_tree
    %w[**/*.c **/*.{c,h} *.c */* **/b*/** **/*b* dir/**/*.c **/.* a?c **/[ab]* ** {a,dir}/*].each do |glob|
      assert_equal glob("#{tree}/#{glob}").sort, Frugal.walk(tree, glob: glob).to_a.sort, glob
      assert_equal glob("#{tree}/#{glob}").sort, Frugal.each_path(tree, sort: false, glob: glob).to_a.sort, glob
      assert_equal glob("#{tree}/#{glob}").size, Frugal.count(tree, glob: glob), glob
    end
    assert_equal glob("#{tree}/**/*.{c,h}").sort, Frugal.walk(tree, ext: %w[c .h]).to_a.sort
    assert_equal glob("#{tree}/{*.c,dir/*}").sort, Frugal.walk(tree, glob: %w[*.c dir/*]).to_a.sort
    assert_equal glob("#{tree}/dir/*.c"), Frugal.walk(tree, ext: "c", glob: "dir/*").to_a
    pruned = glob("#{tree}/**/*").reject { |path| path.include?("/dir/") }
    assert_equal pruned, Frugal.walk(tree, prune: "dir").to_a
    assert_equal pruned, Frugal.walk(tree, prune: %w[d?r nothing]).to_a
    bad = mkdir("~\xFF") # a name that is not valid text
    assert_equal pruned.size + 1, Frugal.count(tree, prune: %w[d[a-z]r [!~]?rx]), bad.inspect
  end

  def test_invalid_options
    [{ follow: :always }, { stat: :inode }, { threads: 0 }, { threads: "2" }, { glob: "/abs" }, { glob: "dir/" },
     { ext: 1 },
     { prune: "a\0b" }].each do |options|
      error = assert_raises(Frugal::UsageError, options.inspect) { Frugal.walk(tree, **options) }
      assert_includes error.message, "#{options.keys.first}:"
    end
    assert_raises(ArgumentError) { Frugal.walk(tree, foo: 1) }
  end

  # -- links --

  def test_links_are_listed
    create_links
    assert_equal glob("#{tree}/**/*"), Frugal.walk(tree).to_a
  end

  def test_follow_paths_is_as_find_and_lists_links_that_lead_back
    create_links
    found = `find -L #{tree} -mindepth 1 2>/dev/null`.lines(chomp: true)
    back = %w[a/b/up d/toa/b/up a/b/tod/toa d/toa/b/tod self].map { |name| path(name) }
    assert_equal (found | back).sort, Frugal.walk(tree, follow: :paths).to_a.sort
    assert_equal Frugal.walk(tree, follow: :paths, threads: 1).to_a, Frugal.walk(tree, follow: :paths).to_a
  end

  # A real directory may be its own ancestor, if a link above it leads there.
  def test_follow_paths_does_not_enter_an_ancestor
    write("root/a/x")
    write("beside/y")
    symlink("..", "root/l")
    symlink("../..", "root/a/up")
    expected = %w[a a/up a/up/beside a/up/beside/y a/up/root a/x l l/beside l/beside/y l/root]
    assert_equal expected.map { |name| path("root/#{name}") }, Frugal.walk(path("root"), follow: :paths).to_a
  end

  # find prints the paths that it lists, and an error for each one that it does not enter.
  def test_follow_paths_on_random_trees_of_links
    12.times do |seed|
      base = mkdir("random#{seed}")
      create_random_links(base, Random.new(seed))
      found = run_command("find", "-L", "#{base}/root", "-mindepth", "1", env: { "LC_ALL" => "C" })
      back = found.err.scan(/File system loop detected; '(.*?)' is part/).flatten
      expected = (found.out.lines(chomp: true) | back).sort
      assert_equal expected, Frugal.walk("#{base}/root", follow: :paths, sort: false).to_a.sort, "seed #{seed}"
      assert_equal expected.size, Frugal.count("#{base}/root", follow: :paths, threads: 1)
    end
  end

  def test_follow_once_visits_each_directory_once_and_by_its_real_path
    create_links
    Dir.mktmpdir do |outside|
      FileUtils.mkdir_p("#{outside}/x/y")
      FileUtils.touch("#{outside}/x/y/z")
      File.symlink("#{outside}/x/y", path("a/deep"))
      File.symlink(outside, path("zz"))
      File.symlink(outside, path("zy"))
      paths = Frugal.walk(tree, follow: :once).to_a
      entered = paths.map { |path| File.dirname(path) }.uniq
      inside = paths.select { |path| File.directory?(path) && !Dir.empty?(path) } << tree
      assert_equal entered.size, entered.map { |path| File.realpath(path) }.uniq.size
      assert_equal inside.map { |path| File.realpath(path) }.uniq.sort, entered.map { |path| File.realpath(path) }.sort
      assert_includes paths, path("a/deep/z")
      assert_includes paths, path("zy/x/y")
      refute_includes paths, path("zy/x/y/z") # a/deep comes first
      assert_includes paths, path("zz")
      refute_includes paths, path("zz/x")
      refute_includes paths, path("d/toa/f")
      assert_equal paths, Frugal.walk(tree, follow: :once, threads: 1).to_a
      assert_equal paths.sort, Frugal.each_path(tree, follow: :once, sort: false).to_a.sort
    end
  end

  # -- errors and interruptions --

  def test_a_directory_that_cannot_be_read_is_listed_and_reported
    write("a/x")
    write("closed/x")
    write("z/x")
    File.chmod(0o755, tree)
    File.chmod(0, path("closed"))
    as_nobody do
      reported = []
      list = Frugal.walk(tree, on_error: ->(*args) { reported << args })
      assert_equal %w[a a/x closed z z/x].map { |name| path(name) }, list.to_a
      assert_equal [[path("closed"), Errno::EACCES]], reported.map { |name, error| [name, error.class] }
      assert_includes reported.first.last.message, path("closed")
      assert_raises(Errno::EACCES) { Frugal.walk(path("closed")) }
    end
  ensure
    File.chmod(0o755, path("closed"))
  end

  def test_a_directory_of_mode_0444_is_listed
    write("half/x")
    File.chmod(0o755, tree)
    File.chmod(0o444, path("half"))
    as_nobody { assert_equal %w[half half/x].map { |name| path(name) }, Frugal.walk(tree).to_a }
  ensure
    File.chmod(0o755, path("half"))
  end

  def test_an_error_of_the_block_is_the_callers
    create_tree
    assert_raises(Errno::ENOENT) { Frugal.each_path(tree, sort: false) { raise Errno::ENOENT } }
    deep = ->(path) { raise Errno::EACCES if path.count("/") > tree.count("/") + 1 }
    assert_raises(Errno::EACCES) { Frugal.each_path(tree, sort: false, &deep) }
  end

  def test_leaving_a_stream_early_leaves_no_thread_or_descriptor
    create_tree
    threads = Thread.list.size
    assert_closes_its_descriptors do
      20.times { Frugal.each_path(tree, sort: false) { break } }
      assert_raises(RuntimeError) { Frugal.each_path(tree, sort: false) { raise "out" } }
      catch(:out) { Frugal.each_path(tree, sort: false) { throw :out } }
    end
    assert_equal threads, Thread.list.size
  end

  private

  def create_tree
    %w[a.c b.h dir/a.c dir/b/c.c dir/b/d.h dir/b/e dir.c/x .hidden .dot/x.c a?c ab.cc z/y/x/w.c B.c].each do |name|
      write(name)
    end
    mkdir("empty")
    300.times { |i| write("many/#{i % 17}/#{i}.c") }
  end

  # Dir.glob is the reference; JRuby's sorts complete paths, and "**/.*" includes ".".
  def glob(pattern, flags = 0)
    paths = Dir.glob(pattern, flags)
    return paths unless RUBY_ENGINE == "jruby"

    paths.reject { |path| path.end_with?("/.") }.sort_by { |path| path.b.split("/") }
  end

  def create_links
    %w[a/f a/b/c/g d/h e/i].each { |name| write(name) }
    { "d/toa" => "../a", "a/b/up" => "..", "a/b/tod" => "../../d", "e/broken" => "nowhere", "e/file" => "i",
      "self" => "self" }
      .each { |name, target| symlink(target, name) }
  end

  # Creates a few directories, with links between them, in a root and beside it. A walk that follows all links
  # lists hundreds of paths.
  def create_random_links(base, random)
    places = ["#{base}/root", "#{base}/beside"]
    5.times { |i| places << "#{places.sample(random: random)}/d#{i}" }
    places.each_with_index { |place, i| FileUtils.mkdir_p(place) && File.write("#{place}/f#{i}", "") }
    4.times do |i|
      target = random.rand < 0.4 ? %w[.. ../..].sample(random: random) : places.sample(random: random)
      File.symlink(target, "#{places.drop(random.rand(2)).sample(random: random)}/l#{i}")
    end
  end
end

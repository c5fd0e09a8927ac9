# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/tree_copy"

# Find.find with and without the drop-in: single cases. The fuzzer tests random programs.
# Every script runs with stock, with the drop-in, and with a drop-in that watches from the
# first directory on.
class FindTest < Frugal::TestCase
  include TreeCopy

  NOW = "Frugal::Dropin::Find.send(:remove_const, :WATCH_AFTER); Frugal::Dropin::Find::WATCH_AFTER = 0"
  HEAD = <<~'RUBY'
    require "find"; require "pathname"; require "fileutils"
    def result_of
      yield
    rescue SystemCallError, ArgumentError, TypeError, NoMethodError, UncaughtThrowError, EncodingError => e
      [e.class, e.message.sub(/ for (an instance of )?.*/m, "")]
    end
    def found(*roots, **options)
      all = []
      result_of do
        Find.find(*roots, **options) do |path|
          all << [path, path.encoding, path.instance_of?(String), path.frozen?]
          yield path if block_given?
        end
        all
      end
    end
  RUBY

  def setup
    skip "the drop-in stands aside here" unless Frugal::Native.engine.const_defined?(:FindWalk)
    write("t/b/c/file")
    write("t/b/ä")
    write("t/b\xFF/x")
    write("t/a")
    symlink("b", "t/link")
    symlink("nothing", "t/dangling")
    symlink("loop", "t/loop")
    File.mkfifo(path("t/fifo"))
  end

  def test_roots
    same <<~'RUBY'
      p found("t"), found("t/"), found("t//"), found("./t"), found("t/b/.."), found(File.expand_path("t")), found
      p found("t/a"), found("t/link"), found("t/link/"), found("t/b", "t/a", "t/b"), found("t/a", "t/b"),
        found("t/b", "t/a")
      p found(Pathname("t")), found(Class.new(String).new("t")), found("t".freeze)
      holder = Struct.new(:to_path).new("t")
      p found(holder), found(Struct.new(:to_str).new("t"))
      p found("t", "missing"), found("missing", "t"), found(""), found("t/loop"), found("t/dangling"), found("t\0"),
        found(nil), found(1)
      p Find.find("t/a") { 7 }
    RUBY
  end

  def test_encodings
    same <<~'RUBY'
      p found("t".b), found("t".encode("US-ASCII")), found("t".encode("EUC-JP")), found("t/b\xFF"),
        found("t".encode("UTF-16LE"))
      Encoding.default_internal = "UTF-8"
      p found("t"), found("t".encode("EUC-JP"))
      $VERBOSE = nil
      Encoding.default_internal = nil
      %w[US-ASCII ASCII-8BIT ISO-8859-1].each do |name|
        Encoding.default_external = name
        p found("t"), found("t".b), found("t".encode("US-ASCII"))
      end
    RUBY
  end

  def test_changes_by_the_block
    same <<~'RUBY'
      p found("t") { |path| Find.prune if path.end_with?("b") }, found("t") { Find.prune },
        found("t") { |path| path.clear }
      p found("t") { |path| File.delete(path) && FileUtils.mkdir_p("#{path}/made/here") if path == "t/a" }
      p found("t") { |path| FileUtils.rm_rf("t/b") if path == "t/a" }
      FileUtils.mkdir_p("u/d"); FileUtils.touch("u/d/f"); FileUtils.mkdir_p("v/d/f/deep")
      p found("u/d/f") { Dir.chdir("v") }
      Dir.chdir("..")
      p found("u") { |path| Dir.chdir("v") if path == "u/d" }
      Dir.chdir("..")
      p found("u") { |path| (File.rename("u", "w"); File.rename("v", "u")) if path == "u/d/f" }
    RUBY
  end

  # Dir.chdir is counted, but its results are the same.
  def test_chdir
    same <<~'RUBY'
      home = Dir.pwd
      p Dir.chdir("t"), Dir.chdir(".."), Dir.chdir("t") { |path| [path, Dir.pwd == "#{home}/t"] }, Dir.pwd == home
      p Dir.chdir("t") { break 7 }, result_of { Dir.chdir("t") { raise ArgumentError, "in it" } },
        Dir.chdir("t", &:upcase), Dir.chdir("t", &->(path) { path })
      p result_of { Dir.chdir("missing") }, result_of { Dir.chdir(nil) }, result_of { Dir.chdir("t", 1) },
        result_of { Dir.chdir(a: 1) }, result_of { Dir.chdir("t", &->(a, b) {}) }
      def leave = Dir.chdir("t") { return Dir.pwd }
      p leave == "#{home}/t", catch(:out) { Dir.chdir("t") { throw :out, 3 } },
        Dir.chdir("t") { Dir.chdir("b") { Dir.pwd } } == "#{home}/t/b"
      p Dir.method(:chdir).owner, Dir.method(:chdir).arity, Dir.method(:chdir).source_location,
        Class.new(Dir).chdir("t"), Dir.chdir("..")
      begin Dir.chdir("missing") rescue p $!.backtrace.uniq, $!.message end
      p Ractor.new { Dir.chdir("t") { 1 } }.value
      if Dir.respond_to?(:fchdir)
        Dir.open("t") do |dir|
          p [dir.chdir, Dir.pwd == "#{home}/t", Dir.chdir(home), dir.chdir { Dir.pwd == home }]
          p [Dir.fchdir(dir.fileno), Dir.chdir(home)]
        end
        p result_of { Dir.fchdir(99) }, result_of { Dir.fchdir }, result_of { Dir.open("t") { |dir| dir.chdir(1) } }
      end
      $VERBOSE, $stderr = true, $stdout
      Dir.chdir("t") { Dir.chdir("b") }
    RUBY
  end

  # The current directory changes during a walk of a relative root; a file in one directory is a
  # directory in the other.
  def test_chdir_during_a_walk
    same <<~'RUBY'
      Dir.mkdir("here"); %w[a b c].each { |name| File.write("here/#{name}", "") }
      %w[a b c].each { |name| FileUtils.mkdir_p("there/#{name}/below") }
      Dir.chdir("here")
      walk = Find.find(".")
      p walk.next, walk.next, Dir.chdir("../there") { [walk.next, walk.next] }, walk.next
      walk = Find.find(".")
      p walk.next, walk.next, Thread.new { Dir.chdir("../there") }.value, walk.next, walk.next, walk.next,
        Dir.chdir("../here")
      leave = -> { Dir.open("../there") { |dir| dir.respond_to?(:chdir) ? dir.chdir : Dir.chdir(dir.path) } }
      p found(".") { |path| leave.call if path == "./b" }
    RUBY
  end

  # Changes the current directory without Dir.chdir: the walk notices it at the next directory.
  def test_a_chdir_that_is_not_counted
    same <<~'RUBY'
      require "fiddle"
      chdir = Fiddle::Function.new(Fiddle::Handle::DEFAULT["chdir"], [Fiddle::TYPE_VOIDP], Fiddle::TYPE_INT)
      FileUtils.mkdir_p(%w[here/a here/b/c there/a there/b/c/below])
      File.write("here/d", "")
      FileUtils.mkdir_p("there/d/below")
      Dir.chdir("here")
      p found(".") { |path| chdir.call("../there") if path == "./a" }
    RUBY
  end

  def test_a_root_that_changes_during_the_walk
    same <<~'RUBY'
      text = +"t"
      holder = Struct.new(:to_path).new(text)
      p found(holder) { text.replace("t/b") if text == "t" }
    RUBY
  end

  def test_paths_that_are_too_long_or_deep
    same <<~'RUBY'
      3.times { Dir.mkdir("n" * 250); Dir.chdir("n" * 250) }
      20.times { Dir.mkdir("n" * 250); Dir.chdir("n" * 250) }
      File.write("last", "")
      23.times { Dir.chdir("..") }
      deep = "n" * 250
      p found(deep).size, found(deep, ignore_error: false), found("./#{deep}").size
      FileUtils.mkdir_p((["d"] * 400).join("/"))
      p found("d").size
      p found("x" * 5000)
    RUBY
  end

  def test_errors
    same <<~'RUBY', nobody: true
      Dir.mkdir("dark", 0); Dir.mkdir("half"); File.write("half/x", ""); Dir.mkdir("half/d"); File.chmod(0o444, "half")
      Dir.mkdir("blind"); File.write("blind/x", ""); File.chmod(0o111, "blind")
      %w[dark half blind].each { |root| p found(root), found(root, ignore_error: false), found(root, "missing") }
      p found("t", ignore_error: false) { |path| File.delete(path) if path == "t/a" }
      p result_of { Find.find("t", ignored: 1) {} }, found(ignore_error: nil)
    RUBY
  end

  def test_leaving_the_block
    same <<~'RUBY'
      target = ->(fd) { File.readlink("/proc/self/fd/#{fd}") rescue nil }
      open = -> { Dir.children("/proc/self/fd").filter_map(&target).grep_v(/proc/).tally }
      before = open.call
      p Find.find("t") { |path| break path if path.end_with?("file") }, found("t") { raise ArgumentError, "out" }
      p catch(:out) { Find.find("t") { throw :out, 1 } }, found("t") { throw :prune, 1 }, found("t") { throw :other }
      p [nil].each { Find.find("t") { next } }, proc { Find.find("t") { break 3 } }.call
      def leave = Find.find("t") { return 5 }
      p leave, Thread.new { Find.find("t") { Thread.current.kill } }.join.status
      p open.call == before
    RUBY
  end

  def test_enumerators
    same <<~'RUBY'
      p Find.find("t").inspect, Find.find("t", ignore_error: false).to_a, Find.find("t").size, Find.find("t").first(2),
        Find.find("missing").inspect
      one, two = Find.find("t"), Find.find("t")
      p [one.next, two.next, one.next, two.next], Find.find("t").lazy.map(&:size).first(3),
        result_of { Find.find("missing").next }
      p Find.find("t").each_slice(3).to_a, Find.find("t").with_index.to_a
      1000.times { walk = Find.find("t"); walk.next; walk.next; walk = nil } # none may run out of descriptors
      GC.start
      include Find
      p find("t").to_a, result_of { Object.new.find }, result_of { Object.new.extend(Find).find("t") },
        Pathname("t").find.to_a, Dir.chdir("t/b") { Pathname(".").find.to_a },
        result_of { Dir.chdir("t") { Pathname(".").find.to_a } }
    RUBY
  end

  def test_nested_walks_threads_and_forks
    same <<~'RUBY'
      p found("t") { |path| Find.find("t/b") { |inner| print inner, " "; Find.prune if path.end_with?("c") } }
      p Array.new(8) { Thread.new { Array.new(10) { found("t") { Thread.pass } }.uniq } }.flat_map(&:value).uniq
      pid = nil
      seen = found("t") { |path| pid = fork if path == "t/a" }
      $stdout.syswrite("#{seen}\n")
      pid ? Process.wait(pid) : exit!
    RUBY
  end

  def test_under_gc_stress
    same <<~'RUBY'
      GC.stress = true
      all = found("t") { |path| Find.prune if path.end_with?("c") }
      few = Find.find("t").first(3)
      GC.stress = false
      p all, few
    RUBY
  end

  # A test's fake file system, or a user's own find, has the same effect as with stock.
  def test_redefinitions_by_the_program
    same <<~'RUBY'
      def File.lstat(path) = super.tap { print path, " " }
      p found("t")
      def Find.find(*) = yield("mine")
      p found("t")
    RUBY
    same <<~'RUBY'
      Find.singleton_class.prepend(Module.new { def find(*roots, **) = super.tap { p roots } })
      p found("t")
    RUBY
  end

  # The drop-ins' modules have the same names as the modules that they patch.
  def test_together_with_other_drop_ins
    script = 'Dir.mkdir("t/dark", 0); p found("t"), found("t", ignore_error: false), found("t".encode("EUC-JP"))'
    stock, ours = ["", '%i[dir fileutils find].each { |name| require "frugal/#{name}" };'].map do |load|
      output(load, script, true)
    end
    assert_includes stock, "t/b/c/file"
    assert_equal stock, ours
  end

  private

  def same(script, nobody: false)
    stock, *ours = ["", %(require "frugal/find";), %(require "find"; require "frugal/find"; #{NOW};)].map do |load|
      output(load, script, nobody)
    end
    assert_includes stock, "t", stock
    ours.each { |text| assert_equal stock, text }
  end

  # @return [String] the output of the script, which runs in its own copy of the tree
  def output(load, script, nobody)
    run_in_copy(load, script, nobody: nobody) { |result| result.out }
  end
end

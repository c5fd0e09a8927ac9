# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/tree_copy"

# FileUtils with and without the drop-in: single cases. The fuzzer tests random programs.
# Every script runs with and without it, each time in a copy of the tree; the output and
# the tree must be the same afterwards.
class FileutilsTest < Frugal::TestCase
  include TreeCopy

  HEAD = <<~'RUBY'
    require "fileutils"; require "pathname"; require "timeout"; require "tmpdir"
    $stderr = $stdout
    def result_of
      value = yield
      value.inspect
    rescue SystemCallError, ArgumentError, TypeError, EncodingError, NoMethodError, RuntimeError => e
      causes = []
      while e
        causes << [e.class, e.message.sub(/ for (an instance of )?.*/m, "")]
        e = e.cause
      end
      causes
    end
    def show(*calls)
      calls.each do |name, *arguments|
        options = arguments.last.is_a?(Hash) ? arguments.pop : {}
        p [name, result_of { FileUtils.__send__(name, *arguments, **options) }, $!]
      end
    end
  RUBY

  def setup
    skip "the drop-in stands aside here" unless Frugal::Native.engine.respond_to?(:remove_tree)
    write("t/b/c/file", "content")
    write("t/b/ä", "x" * 10_000)
    write("t/b\xFF/x")
    write("t/a", "a")
    symlink("b", "t/link")
    symlink("nothing", "t/dangling")
    symlink("loop", "t/loop")
    File.mkfifo(path("t/fifo"))
  end

  def test_mkdir_p
    same <<~'RUBY'
      show [:mkdir_p, "t/n/m/o"], [:mkdir_p, %w[t/1/2 t/1/2 t/1/3]], [:mkpath, "t/p/"],
           [:makedirs, Pathname("t//q///r//")], [:mkdir_p, []],
           [:mkdir_p, "t/a/x"], [:mkdir_p, "t/a"], [:mkdir_p, "t/dangling/x"], [:mkdir_p, "t/link/x/y"],
           [:mkdir_p, "t/s/../u"], [:mkdir_p, "t/b/."],
           [:mkdir_p, ""], [:mkdir_p, "/"], [:mkdir_p, nil], [:mkdir_p, "t/\0"], [:mkdir_p, "t/#{"n" * 300}/x"],
           [:mkdir_p, "t/v", bad: 1],
           [:mkdir_p, "t/w/w", mode: 0o711], [:mkdir_p, "t/w/v", mode: "0711"], [:mkdir_p, "t/noop", noop: true],
           [:mkdir_p, %w[t/y t/z], verbose: true, mode: 0o1777],
           [:mkdir_p, "t/ü/\xFF"], [:mkdir_p, "t/euc".encode("EUC-JP")], [:mkdir_p, "t".encode("UTF-16LE")]
      File.umask(0o777)
      show [:mkdir_p, "t/dark"], [:mkdir_p, "t/darker", mode: 0o750]
    RUBY
  end

  def test_removal
    same <<~'RUBY'
      show [:rm_rf, "t/missing"], [:rm_r, "t/missing"], [:rm_rf, "t/a/x"], [:rm_r, "t/a/x"], [:rm_f, "t/b"],
           [:rm_f, "t/missing"], [:rm, "t/missing"],
           [:rm_rf, "t/link"], [:rm_rf, ["t/loop", ["t/dangling"]]], [:remove_entry, "t/fifo"],
           [:remove_entry, "t/b\xFF"], [:remove_entry, "t/b/c/file"],
           [:remove_dir, "t/b"], [:remove_file, "t/a", true], [:remove_file, "t/a", true], [:rm_rf, ""], [:rm_rf, "."],
           [:remove_entry, nil, true], [:remove_entry, 1],
           [:rm_rf, "t", verbose: true, noop: true], [:rm_rf, "t", verbose: true, secure: true], [:rm_rf, "t"]
    RUBY
  end

  # Stock treats "link/" as the directory that it leads to, and empties it.
  def test_slashes_and_links
    same <<~'RUBY'
      show [:rm_rf, "t/link/"], [:rm_rf, "t/b/c/"], [:rm_rf, "t/b\xFF//"], [:rm_r, "t/a/"], [:rm_r, "t/b/."],
           [:rmtree, "./t/"]
    RUBY
  end

  # The path goes through a folder that is removed first: stock then finds nothing more.
  def test_paths_that_go_up_from_within_the_tree
    same <<~'RUBY'
      FileUtils.mkdir_p("u/one/two")
      %w[a b c d].each { |name| File.write("u/#{name}", ""); Dir.mkdir("u/one/#{name}") }
      FileUtils.rm_rf("u/one/#{Dir.children("u/one").first}/..")
      p Dir.children("u/one").size
      show [:remove_entry, "u/one//./../", true], [:rm_rf, "t/../t/b/c"], [:rm_r, "u/../t/b"]
      FileUtils.mkdir_p("u/one/two"); Dir.chdir("u/one")
      show [:rm_rf, "../one/two"], [:rm_rf, "../../t/../u/x"], [:rm_rf, "../a..b"], [:rm_r, ".."], [:rm_rf, ".."]
    RUBY
  end

  def test_copies
    same <<~'RUBY'
      File.delete("t/fifo")
      show [:cp_r, "t", "u"], [:cp_r, "t", "u"], [:cp_r, "t/.", "v"], [:cp_r, "t/a", "w"], [:cp_r, "t/link", "x"],
           [:cp_r, "t/link", "y", dereference_root: false],
           [:cp_r, "t/dangling", "z"], [:cp_r, %w[t/a t/b], "v"], [:cp_r, "t", "t"], [:cp_r, "missing", "u"],
           [:cp_r, "t/b", "u/a"],
           [:cp_r, "t", "missing/new"], [:cp_r, "t", "p", preserve: true],
           [:cp_r, "t/.", "u", remove_destination: true], [:cp_r, "t", "n", noop: true, verbose: true],
           [:copy_entry, "t", "e"], [:copy_entry, "t/a", "e/link"], [:copy_entry, Pathname("t"), "f"],
           [:cp_r, "/proc/self/status", "g"], [:cp_r, "t", "t2".b],
           [:cp_r, "t", "ü".b], [:cp_r, "t", "euc".encode("EUC-JP")], [:cp_r, nil, "u"], [:cp_r, "t", nil],
           [:mv, "t", "moved"]
      p File.stat("g").mode.to_s(8)
      File.delete("g") # its bytes are those of this process
    RUBY
  end

  # Stock continues until the path is too long.
  def test_a_copy_into_itself
    same <<~'RUBY'
      FileUtils.mkdir_p("s/#{"n" * 200}")
      show [:cp_r, "s", "s"], [:cp_r, "s", "s/new"], [:cp_r, "s", "s/#{"n" * 200}/new"], [:copy_entry, "t/a", "t/a"],
           [:copy_entry, "t/b", "t/b"]
    RUBY
  end

  def test_special_files
    same <<~'RUBY'
      require "socket"
      UNIXServer.new("t/socket").close
      show [:cp_r, "t", "u"], [:cp_r, "/dev/null", "v"], [:cp_r, "t", "u"], [:rm_rf, "u"], [:rm_r, "t"]
    RUBY
  end

  # A copy writes a regular file into an existing pipe, and through an existing link.
  def test_a_copy_over_existing_files
    same <<~'RUBY'
      File.delete("t/fifo")
      FileUtils.mkdir_p("u/t")
      File.mkfifo("u/t/a")
      Dir.mkdir("u/t/b")
      File.symlink("../../other", "u/t/b/ä")
      reader = Thread.new { File.read("u/t/a") }
      p result_of { FileUtils.cp_r("t", "u") }, reader.value, File.size("u/other")
    RUBY
  end

  def test_errors
    same <<~'RUBY', nobody: true
      Dir.mkdir("t/dark")
      File.write("t/dark/x", "")
      Dir.mkdir("t/closed")
      File.write("t/closed/x", "")
      Dir.mkdir("t/empty", 0)
      File.write("t/b/secret", "", perm: 0)
      File.chmod(0, "t/dark"); File.chmod(0o500, "t/closed")
      show [:mkdir_p, "t/dark/a/b"], [:mkdir_p, "t/closed/a/b"], [:cp_r, "t", "u"], [:rm_r, "t"],
           [:remove_entry, "t/dark"], [:rm_rf, "t/closed"], [:rm_rf, %w[t/dark t/empty]], [:rm_rf, "t"],
           [:rm_rf, "u"], [:rm_r, "t/closed/x"], [:rm_f, "t/closed/x"]
    RUBY
  end

  def test_deep_trees_and_long_names
    same <<~'RUBY'
      back = Dir.pwd
      100.times { Dir.mkdir("d"); File.write("f", ""); Dir.chdir("d") }
      Dir.chdir(back)
      18.times { Dir.mkdir("n" * 250); Dir.chdir("n" * 250) }
      Dir.chdir(back)
      show [:cp_r, "d", "e"], [:cp_r, "n" * 250, "m"], [:rm_rf, "d"], [:rm_rf, "n" * 250], [:rm_r, "n" * 250],
           [:mkdir_p, (["k"] * 300).join("/")], [:remove_entry, "k"]
    RUBY
  end

  def test_encodings
    same <<~'RUBY'
      verbose, $VERBOSE = $VERBOSE, nil
      show [:cp_r, "t".encode("US-ASCII"), "u".encode("US-ASCII")], [:cp_r, "t".b, "v"],
           [:remove_entry, "u".encode("EUC-JP"), true],
           [:remove_entry, "t".encode("UTF-16BE"), true], [:remove_file, "t".encode("UTF-32LE"), true],
           [:remove_entry, "t".encode("UTF-16LE")]
      Encoding.default_internal = "EUC-JP"
      show [:cp_r, "t", "w"], [:rm_rf, "v"]
      Encoding.default_internal = nil
      Encoding.default_external = "US-ASCII"
      show [:cp_r, "t", "x"], [:rm_rf, "x"], [:remove_entry, "t/b".encode("US-ASCII")]
    RUBY
  end

  def test_other_modules_of_fileutils
    same <<~'RUBY'
      %i[Verbose NoWrite DryRun].each do |name|
        methods = FileUtils.const_get(name)
        p methods.mkdir_p("u/#{name}"), methods.cp_r("t/b", "u/copy#{name}"), methods.rm_rf("u/copy#{name}"),
          methods.rm_f("t/a")
      end
      include FileUtils
      p mkdir_p("v/w"), cp_r("t/b", "v/w"), rm_rf("v"), result_of { Object.new.mkdir_p("x") },
        result_of { Object.new.extend(FileUtils).remove_entry("t") }
      p(%i[mkdir_p mkpath remove_entry remove_file copy_entry cp_r rm_rf].map do |name|
        method = FileUtils.method(name)
        [method.arity, method.parameters, FileUtils.private_instance_methods.include?(name)]
      end)
      p FileUtils.singleton_methods(false).sort, FileUtils.commands.sort, FileUtils.options_of(:mkdir_p)
      p Dir.mktmpdir("x", ".") { |folder| File.write("#{folder}/x", ""); 7 }, Pathname("t/b").rmtree.class,
        Dir.children(".").sort
    RUBY
  end

  # A method that a test's fake file system or a user redefines is called as stock calls it.
  def test_redefinitions_by_the_program
    same <<~'RUBY'
      File.delete("t/fifo")
      [
        -> { def File.lstat(path) = super.tap { puts path } }, -> { def File.unlink(*paths) = super.tap { p paths } },
        -> { def Dir.mkdir(*all) = super.tap { p all } }, -> { def IO.copy_stream(*) = super.tap { puts _1 } },
        -> { FileUtils::Entry_.define_method(:remove_dir1) { puts path } },
        -> { FileUtils::Entry_.prepend(Module.new { def copy_file(to) = puts(to) }) },
        -> { def FileUtils.fu_mkdir(path, mode) = puts(path) },
        -> { def FileUtils.remove_entry(path, force = false) = puts(path) },
        -> { def FileUtils.copy_entry(*all) = p(all) },
        lambda do
          real = Dir
          Object.send(:remove_const, :Dir)
          Object.const_set(:Dir, Class.new(real) do
            def self.mkdir(*all) = super.tap { p all }
            def self.children(path, **) = super.tap { puts path }
          end)
        end
      ].each_with_index do |change, number|
        Dir.mkdir("w#{number}")
        system("cp", "-a", "t", "w#{number}")
        Process.wait(fork do
          Dir.chdir("w#{number}")
          change.call
          show [:mkdir_p, "u/v/w"], [:cp_r, "t", "u"], [:rm_rf, "u"], [:rm_f, "t/a"], [:remove_entry, "t"]
        end)
      end
    RUBY
  end

  # FileUtils expands "~x", when it is a path below ".", to a user's home directory.
  def test_names_like_home_directories
    same <<~'RUBY'
      FileUtils.mkdir_p(["t/b/~x/y", "u"])
      Dir.chdir("t/b")
      show [:copy_entry, ".", "../../u/a"], [:cp_r, ".", "../../u/b"],
           [:cp_r, ".", "../../u/c", dereference_root: false]
      Dir.chdir("../../u")
      show [:copy_entry, "../t/b", "."], [:copy_entry, "../t/b", "./"]
    RUBY
  end

  # In a directory of mode 0444 the names can be listed, but no file can be examined.
  def test_a_directory_that_can_only_be_listed
    same <<~'RUBY', nobody: true
      FileUtils.mkdir_p("s/listed/inside")
      File.chmod(0o444, "s/listed")
      show [:cp_r, "s", "u"], [:rm_r, "s"], [:rm_rf, "s"]
    RUBY
  end

  def test_threads_forks_and_ractors
    same <<~'RUBY'
      File.delete("t/fifo")
      work = lambda do |i, k|
        FileUtils.cp_r("t", "u#{i}#{k}")
        FileUtils.mkdir_p("x/y/#{k}/z")
        FileUtils.rm_rf("u#{i}#{k}")
      end
      p Array.new(8) { |i| Thread.new { Array.new(5) { |k| work.call(i, k) } } }.flat_map(&:value).sort
      pid = fork { FileUtils.cp_r("t", "forked"); exit! }
      Process.wait(pid)
      $VERBOSE = nil
      ractor = Ractor.new do
        FileUtils.mkdir_p("r/s")
        FileUtils.cp_r("t", "r/s")
        FileUtils.rm_rf("r/s/t/b")
        Dir.children("r/s/t").sort
      end
      p ractor.value
    RUBY
  end

  def test_under_gc_stress
    same <<~'RUBY'
      GC.stress = true
      FileUtils.mkdir_p("u/v"); FileUtils.copy_entry("t", "w"); FileUtils.rm_rf("u"); FileUtils.remove_entry("w/b")
    RUBY
  end

  # Delays each system call of the removal and the copy, so that they end in time only if they can be
  # interrupted. No descriptor may stay open.
  def test_interrupts
    skip "strace is missing, which delays the calls" unless Cost::Strace.available?

    2000.times { |i| write("many/#{i}", "content") }
    %w[rm_rf("many") cp_r("many","u")].each do |call|
      result = run_command("strace", "-f", "-qq", "-o", "/dev/null", "-e",
                           "inject=unlinkat,copy_file_range:delay_exit=20000", RUBY, "-I", LIB, "-rfrugal/fileutils",
                           "-rfileutils", "-rtimeout", "-e", <<~RUBY, chdir: tree, timeout: 30)
                             before = Dir.children("/proc/self/fd").size
                             begin
                               Timeout.timeout(0.3) { FileUtils.#{call} }
                             rescue Timeout::Error
                               puts "interrupted"
                             end
                             thread = Thread.new { FileUtils.#{call} }
                             sleep 0.1
                             thread.kill.join
                             puts Dir.children("/proc/self/fd").size - before, Dir.children("many").size > 1000
                             $stdout.flush
                             exit!
                           RUBY
      assert_equal "interrupted\n0\ntrue\n", result.out, result
    end
  end

  private

  def same(script, nobody: false)
    stock, ours = ["", %(require "frugal/fileutils";)].map { |load| outcome(load, script, nobody) }
    assert_equal stock, ours
  end

  # @return [Array<String>] the script's output, and its copy of the tree afterwards
  def outcome(load, script, nobody)
    run_in_copy(load, script, nobody: nobody) do |result, folder|
      assert result.success?, result
      [result.out.b.gsub(/-[\w-]+-\w+/, ""), left(folder)]
    end
  end

  def left(folder)
    run_command("find", ".", "-printf", "%p %y %M %l %n %s\\n", chdir: folder).out.b.lines.grep_v(/ d /).sort +
      run_command("find", ".", "-type", "d", "-printf", "%p %M\\n", chdir: folder).out.b.lines.sort
  end
end

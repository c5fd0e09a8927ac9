# frozen_string_literal: true

require_relative "../test_helper"
require "json"
require "pty"
require "stringio"
require "timeout"

# `frugal walk` on a terminal and in a pipe. test/shared/walk_test.rb tests what a walk lists.
class WalkCommandTest < Frugal::TestCase
  ENVIRONMENT = { "RUBYOPT" => nil, "NO_COLOR" => nil, "TERM" => "xterm", "LC_ALL" => "C.UTF-8" }.freeze
  COMMAND = [RUBY, "--disable=gems", "-w", "#{ROOT}/exe/frugal"].freeze
  ERASE = "\r\e[K"

  def walk(*argv, env: {}, **options)
    run_command(*COMMAND, "walk", *argv, env: { **ENVIRONMENT, **env }, chdir: tree, **options)
  end

  def listed(*argv)
    result = walk(*argv)
    assert_equal ["", 0], [result.err, result.exitstatus], result
    result.out.lines(chomp: true)
  end

  # -- what is listed --

  def test_below_here_or_below_each_directory
    plant
    Dir.chdir(tree) do
      assert_equal Dir.glob("./**/*"), listed
      assert_equal Dir.glob("src/**/*"), listed("src/")
      assert_equal Dir.glob("doc/**/*") + Dir.glob("src/**/*"), listed("doc", "src")
      assert_equal Dir.glob("#{tree}/**/*"), listed("--sort", tree)
      assert_equal Dir.glob("src/**/*").sort, # rubocop:disable Lint/RedundantDirGlobSort -- glob sorts within a folder
                   listed("--no-sort", "src").sort
    end
    assert_equal [], listed(mkdir("empty"))
  end

  def test_filters
    plant
    Dir.chdir(tree) do
      assert_equal Dir.glob("src/**/*", File::FNM_DOTMATCH).reject { |path| path == "src/." }, listed("src", "--hidden")
      assert_includes listed("src", "--hidden"), "src/.hidden"
      assert_equal Dir.glob("src/**/*.{c,h}"), listed("--ext", "c,h", "src")
      assert_equal Dir.glob("src/**/*.{c,h}"), listed("--ext", "c", "src", "--ext", ".h")
      assert_equal Dir.glob("src/{*.c,*/*}"), listed("--glob", "*/*", "src", "--glob", "*.c")
      assert_equal Dir.glob("src/**/*") - %w[src/lib/b.c src/lib/deep src/lib/deep/c.h], listed("--prune", "lib", "src")
      assert_equal Dir.glob("src/**/*") - %w[src/lib/deep/c.h], listed("--prune", "nothing", "--prune", "de?p", "src")
    end
  end

  def test_gitignore
    plant
    write("src/.gitignore", "*.h\n/lib/b.c\n")
    mkdir("src/.git")
    Dir.chdir(tree) do
      assert_equal Dir.glob("src/**/*", File::FNM_DOTMATCH) - %w[src/. src/.git src/lib/b.c src/lib/deep/c.h],
                   listed("--gitignore", "--hidden", "src")
      assert_equal Dir.glob("src/**/*") - %w[src/lib/b.c src/lib/deep/c.h], listed("--gitignore", "src")
      assert_equal [(Frugal.count("src") - 2).to_s], listed("--gitignore", "--count", "src")
      assert_empty listed("--gitignore", "--no-sort", "--ext", "h", "src")
    end
  end

  def test_links
    plant
    symlink("src/lib", "to")
    symlink("../..", "src/lib/up")
    Dir.chdir(tree) do
      refute_includes listed, "./to/b.c"
      assert_equal Frugal.walk(".", follow: :paths).to_a, listed("--follow=paths")
      assert_includes listed("--follow", "paths"), "./to/b.c"
      assert_equal Frugal.walk(".", follow: :once).to_a, listed("--follow=once")
      refute_includes listed("--follow=once", "--no-sort"), "./to/b.c"
    end
  end

  # -- how it is shown --

  def test_stat
    at = Time.at(1_700_000_000)
    write("d/a", "12345", mtime: at)
    write("d/b", "1" * 1000, mtime: at + 86_400)
    days = [at, at + 86_400].map { |time| time.strftime("%Y-%m-%d %H:%M:%S") }
    assert_equal ["#{days.first}     5  d/a", "#{days.last}  1000  d/b"], listed("--stat", "d")
    assert_equal [{ "path" => "d/a", "mtime" => "2023-11-14T22:13:20.000000000Z", "size" => 5 }], json("--stat", "--glob", "a", "d")
    assert_equal [], listed("--stat", mkdir("empty"))
  end

  def test_count
    plant
    assert_equal ["3"], listed("--count", "src", "--glob", "**/*.*")
    assert_equal ["6  src", "1  doc", "7  total"], listed("--count", "src", "doc")
    assert_equal [{ "path" => "src", "count" => 6 }, { "path" => "doc", "count" => 1 }], json("--count", "src", "doc")
  end

  def test_du_is_du_without_a_directorys_own_size
    plant
    symlink("nowhere", "src/broken")
    write("src/lib/\xFF\n/x", "123")
    %W[src src/ src// .//src #{tree}/src /#{tree}/src //#{tree}/src].each do |root|
      lines = json("--du", "--hidden", root)
      found = lines[0...-1].to_h { |line| [bytes(line).squeeze("/"), line["bytes"]] }
      assert_equal apparent(root), found, root
      assert_equal({ "total" => found.values.max, "paths" => Frugal.count(path("src"), hidden: true) }, lines.last)
      assert_equal found.values.sort, found.values, "the largest last"
    end
  end

  def test_du_counts_what_is_listed
    write("d/a/b/c/x.c", "1" * 2048)
    write("d/a/y.h", "1" * 10)
    write("d/.dot/z.c", "1" * 5)
    assert_equal ["   2.0 KiB  d/a/b/c", "   2.0 KiB  d/a/b", "   2.0 KiB  d/a", "   2.0 KiB  d", "   2.0 KiB  total", "",
                  "sum of the sizes of 1 path; a file with two names counts twice; hidden ones not included (--hidden)"], listed("--du", "--ext", "c", "d")
    assert_equal ["    10 B    d/a", "    10 B    d"], listed("--du", "--ext", "h", "d").first(2)
    File.link(path("d/a/y.h"), path("d/a/twin.h"))
    assert_equal "    20 B    total", listed("--du", "--ext", "h", "d")[-3]
    assert_equal "     0 B    total", listed("--du", "-0", mkdir("empty")).first.split("\0").last
    assert_equal ["     5 B    d/.dot", "    20 B    d/a"], listed("--du", "--hidden", "--glob", "{.dot,a}/*.{c,h}", "d").first(2)
  end

  def test_du_of_a_deep_and_of_several_directories
    write("one/#{"d/" * 400}leaf", "1234567")
    write("two/leaf", "1")
    lines = json("--du", "--glob", "**/leaf", "one", "two")
    assert_equal 403, lines.size
    assert_equal({ "path" => "two", "bytes" => 1 }, lines.first)
    assert_equal [7], lines[1..401].map { |line| line["bytes"] }.uniq
    assert_equal({ "total" => 8, "paths" => 2 }, lines.last)
  end

  def test_human_units
    require "frugal/cli/walk"
    text = Frugal::CLI::Walk::Text.new(Struct.new(:io).new($stdout))
    { 0 => "     0 B  ", 1023 => "  1023 B  ", 1024 => "   1.0 KiB", 1_048_575 => "   1.0 MiB", 1536 * 1024**3 => "   1.5 TiB",
      2**70 => "1024.0 EiB" }.each { |bytes, expected| assert_equal expected, text.__send__(:human, bytes) }
  end

  def test_names_for_programs_are_bytes
    ["new\nline", "\xFF\xFE", "tab\t", "日本"].each { |name| write("d/#{name}") }
    names = Dir.children(path("d")).map { |name| "d/#{name}".b }.sort
    assert_equal names, walk("-0", "d").out.b.split("\0")
    assert_equal names, walk("--null", "--no-sort", "d").out.b.split("\0").sort
    assert_equal names.join("\n") << "\n", walk("d").out.b
    assert_equal names.join("\0") << "\0", walk("-0", "d", env: { "LC_ALL" => "C" }).out.b
    told = json("d")
    assert_equal names, told.map { |line| bytes(line) }
    assert_equal [{ "path" => "d/\uFFFD\uFFFD", "base64" => ["d/\xFF\xFE"].pack("m0") }], told.select { |line| line["base64"] }
  end

  # -- errors --

  def test_unreadable_directories_are_reported_and_the_rest_is_listed
    %w[a/x closed/x z/x].each { |name| write(name) }
    File.chmod(0, path("closed"))
    File.chmod(0o755, tree)
    { [] => "./a\n./a/x\n./closed\n./z\n./z/x\n", ["--count"] => "5\n", %w[--json --glob **/a] => %({"path":"./a"}\n),
      %w[--stat --glob **/nothing] => "", %w[-0 --no-sort --glob **/z] => "./z\0", ["--du", "-0", "--glob", "*/x"] => nil }.each do |argv, out|
      result = walk_as_nobody(*argv)
      assert_equal ["frugal: walk: ./closed: Permission denied\n", 1], [result.err, result.exitstatus], result
      assert_equal out, result.out, argv.inspect if out
    end
    root = walk_as_nobody("closed", "a")
    assert_equal ["a/x\n", "frugal: walk: closed: Permission denied\n", 1], [root.out, root.err, root.exitstatus]
  ensure
    File.chmod(0o755, path("closed"))
  end

  def test_a_name_that_is_not_a_directory
    write("d/file")
    symlink("nowhere", "broken")
    expected = "frugal: walk: missing: No such file or directory\nfrugal: walk: d/file: Not a directory\n" \
               "frugal: walk: broken: No such file or directory\nfrugal: walk: '': No such file or directory\n"
    [[], ["--stat"], ["--count"], ["--du"], ["--json"], ["--no-sort"]].each do |argv|
      result = walk("missing", "d/file", "broken", "", "d", *argv)
      assert_equal [expected, 1], [result.err, result.exitstatus], result
      refute_empty result.out
      nothing = walk("missing", *argv)
      assert_equal ["", 1], [nothing.out, nothing.exitstatus], nothing
    end
  end

  def test_wrong_usage
    { %w[--foo] => "invalid option: --foo", %w[--follow=never] => "--follow: must be paths or once (got never)",
      %w[--ext] => "missing argument: --ext", ["--ext", ""] => "--ext: an ending is empty", %w[--stat --du] => "--stat and --du cannot be combined",
      %w[--json -0] => "-0 and --json cannot be combined: ", %w[--glob /x] => %(glob: "/x" begins with a slash) }.each do |argv, message|
      result = walk(*argv)
      assert_equal ["", 2], [result.out, result.exitstatus], result
      assert_operator result.err, :start_with?, "frugal: walk: #{message}"
      assert_equal "frugal: next: frugal walk --help\n", result.err.lines.last
    end
  end

  def test_the_help_of_every_option
    help = walk("src", "-h").out
    assert_equal help, walk("--help").out
    %w[--hidden --gitignore --ext --glob --prune --follow=paths --follow=once --stat --count --du -0 --null --json --no-sort].each do |option|
      assert_match(/^ +(?:-0, )?#{option}\b/, help)
    end
  end

  def test_a_reader_that_ends_early
    plant_many
    [[], ["--no-sort"], ["--stat"], ["--json"]].each do |argv|
      result = run_command("sh", "-c", %("$@" | head -n 1), "sh", "#{ROOT}/bin/frugal", "walk", *argv, tree, env: ENVIRONMENT)
      assert_equal [1, ""], [result.out.lines.size, result.err], result
    end
  end

  def test_a_full_disk
    plant_many
    skip "there is no /dev/full here" unless File.exist?("/dev/full")
    [[], ["--no-sort"], ["--count"]].each do |argv|
      result = run_command("sh", "-c", %("$@" > /dev/full), "sh", "#{ROOT}/bin/frugal", "walk", *argv, tree, env: ENVIRONMENT)
      assert_equal ["frugal: standard output: No space left on device\n", 1], [result.err, result.exitstatus], result
    end
  end

  # -- terminals --

  def test_on_a_terminal_odd_names_are_quoted
    ["new\nline", "\xFF1", "\e[2J", "it's\\\t", "日本", "it's"].each { |name| write("d/#{name}") }
    expected = ["$'d/\\e[2J'", "d/it's", "$'d/it\\'s\\\\\\t'", "$'d/new\\nline'", "d/日本", "$'d/\\3771'"]
    shown = terminal("walk", "d")
    assert_equal expected, shown.split("\r\n")
    read_back = run_command("bash", "-c", "printf '%s\\0' #{shown.split("\r\n").grep(/\A\$/).join(" ")}")
    assert_equal ["d/\e[2J", "d/it's\\\t", "d/new\nline", "d/\xFF1"].map(&:b), read_back.out.b.split("\0")
    assert_includes terminal("walk", "-0", "d"), "d/new\r\nline\0"
    assert_equal "frugal: walk: $'a\\nb': No such file or directory\r\n", terminal("walk", "a\nb")
    assert_includes terminal("walk", "d", env: { "LC_ALL" => "C" }), "$'d/\\346\\227\\245"
  end

  def test_bold_on_a_terminal_only
    write("d/a")
    assert_includes terminal("walk", "--du", "d"), "\e[1m     0 B    total\e[0m"
    refute_includes terminal("walk", "--du", "d", env: { "NO_COLOR" => "1" }), "\e"
  end

  # The walk cannot end before the test reads its output.
  def test_progress_of_a_long_walk_is_erased
    plant_many
    shown = with_progress("--no-sort", tree) { |out, _| assert_equal Frugal.count(tree), out.read.lines.size }
    assert_match(/\A(\r\e\[Kfrugal: walk: [\d,]+ paths, \d+ s …)+\r\e\[K\z/, shown)
  end

  def test_no_progress_of_a_short_walk
    plant
    assert_equal "", with_progress(tree, wait: false) { |out, _| out.read }
  end

  def test_progress_only_where_it_does_not_disturb
    { [true, false] => true, [true, true] => true, [false, true] => false, [false, false] => false }.each do |(stderr, stdout), shows|
      shown, progress = progress(stderr, stdout)
      Timeout.timeout(60) { nil } # which may keep a thread of its own, as from now on
      before = Thread.list
      progress.during do
        ticker = Thread.list - before
        assert_equal shows ? 1 : 0, ticker.size
        Timeout.timeout(60) { Thread.pass while shown.size.zero? } if shows
        progress.make_way
        assert ticker.all? { |thread| thread.join(10) }, "it has no more to say" if stdout
      end
      assert_equal [shows, before], [shown.string.end_with?(ERASE), Thread.list]
      refute shown.string.delete_suffix(ERASE).end_with?(ERASE), "erased once"
    end
  end

  def test_a_message_replaces_the_progress
    plant_many
    shown = with_progress("--no-sort", tree, "missing") { |out, _| out.read }
    assert_includes shown, "…#{ERASE}frugal: walk: missing: No such file or directory\r\n"
  end

  def test_an_interrupt_ends_at_once_and_quietly
    plant_many
    shown = with_progress("--no-sort", tree, signal: :INT) { |_, pid| Process.kill(:INT, pid) }
    assert_match(/…\r\e\[K\z/, shown)
  end

  # Each level doubles the number of paths, so this walk does not end in practice.
  def test_an_interrupt_of_an_endless_walk
    40.times do |i|
      mkdir("n/#{i}")
      %w[a b].each { |name| symlink("../#{i + 1}", "n/#{i}/#{name}") }
    end
    shown = with_progress("--count", "--follow=paths", "n", signal: :INT) { |_, pid| Process.kill(:INT, pid) }
    assert_match(/\Afrugal: walk: \d+ s …\z/, shown.split(ERASE).last)
  end

  private

  def plant
    %w[src/a.c src/lib/b.c src/lib/deep/c.h src/z src/.hidden src/.dot/x.c doc/a.md].each_with_index { |name, i| write(name, "x" * i * 100) }
  end

  # Creates more output than a pipe can buffer.
  def plant_many = 1500.times { |i| write("many/#{i % 9}/#{"long-name-" * 10}#{i}") }

  def json(*argv) = listed("--json", *argv).map { |line| JSON.parse(line) }

  # @return [Array(StringIO, Progress)] with a standard error and output that pretend to be terminals, or not
  def progress(stderr, stdout)
    require "frugal/cli/walk"
    shown, out = [stderr, stdout].map { |tty| StringIO.new.tap { |io| io.define_singleton_method(:tty?) { tty } } }
    [shown, Frugal::CLI::Walk::Progress.new(shown, out, delay: 0)]
  end

  # The bytes of the path in a JSON line.
  def bytes(line) = line["base64"]&.unpack1("m") || line["path"].b

  # The sizes of du(1), without the directory itself and empty ones. Newer versions do not count the sizes of directories.
  def apparent(root)
    lines = `cd #{tree} && du -bl0 #{root}`.b.split("\0")
    sums = lines.to_h { |line| line.split("\t", 2).reverse }
    sizes = sums.to_h { |name,| [name, File.lstat(File.expand_path(name, tree)).size] }
    older = `du -b #{mkdir("bare")}`.to_i.positive?
    sums.to_h do |name, bytes|
      below = sizes.keys.select { |other| other != name && other.start_with?("#{name.sub(%r{/+\z}, "")}/") }
      [File.dirname("#{name}/x").squeeze("/"), bytes.to_i + (older ? -sizes[name] : sizes.values_at(*below).sum)]
    end
  end

  def walk_as_nobody(*argv)
    script = %(#{LOAD_COMMANDS}; #{BECOME_NOBODY}; exit Frugal::CLI.start(["walk", *ARGV]))
    run_ruby("-e", script, "--", *argv, chdir: tree, env: ENVIRONMENT)
  end

  # The output of a command whose standard output and error are one terminal.
  def terminal(*argv, env: {})
    PTY.open do |master, slave|
      pid = Process.spawn({ **ENVIRONMENT, **env }, "#{ROOT}/bin/frugal", *argv, chdir: tree, out: slave, err: slave)
      slave.close
      Timeout.timeout(60) { drain(master) }.force_encoding("UTF-8")
    ensure
      Process.wait(pid)
    end
  end

  # Runs a command whose standard output is a pipe, and whose standard error is a terminal.
  #
  # @param wait [Boolean] whether to wait for the progress before the block is called
  # @yieldparam out [IO]
  # @yieldparam pid [Integer]
  # @return [String] the output on the terminal
  def with_progress(*argv, wait: true, signal: nil)
    PTY.open do |master, slave|
      out, out_in = IO.pipe
      pid = Process.spawn(ENVIRONMENT, "#{ROOT}/bin/frugal", "walk", *argv, chdir: tree, out: out_in, err: slave)
      [out_in, slave].each(&:close)
      Timeout.timeout(60) do
        first = wait ? master.readpartial(4096) : ""
        yield out, pid
        shown = first + drain(master)
        _, status = Process.wait2(pid)
        pid = nil
        assert_equal [signal&.to_s], [status.termsig && Signal.signame(status.termsig)]
        shown.force_encoding("UTF-8")
      end
    ensure
      out&.close
      kill(pid) if pid
    end
  end

  # Reading a terminal without writers fails with EIO.
  def drain(master)
    text = +""
    loop { text << master.readpartial(65_536) }
  rescue EOFError, Errno::EIO
    text
  end

  def kill(pid)
    Process.kill(:KILL, pid)
    Process.wait(pid)
  end
end

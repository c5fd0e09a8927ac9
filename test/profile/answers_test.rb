# frozen_string_literal: true

require_relative "../test_helper"
require "frugal/profile"
require "frugal/profile/answers"

# Programs that get the earlier answers instead of the kernel's. Nobody may see a difference: their output is compared
# with that of a plain Ruby, and with the answers of the kernel.
class AnswersTest < Frugal::TestCase
  Answers = Frugal::Profile::Answers

  ASK = <<~'RUBY'
    require "etc"
    def error = yield.inspect rescue $!.class
    def ask(path)
      print error { s = File.stat(path); [s.mode, s.size, s.nlink, s.mtime.year, s.ftype] }, " ", error { File.lstat(path).ftype },
            " ", error { File.readlink(path) }, " ", error { File.realpath(path) }, " ", File.exist?(path), File.directory?(path),
            File.readable?(path), File.writable?(path), File.executable?(path), File.size?(path).inspect, "\n"
    end
    def all
      %w[file dir dir/inner no no/such link below/inner /outside].each { |path| 2.times { ask(path == "/outside" ? "#{__dir__}/../w/file" : path) } }
      %w[. dir no empty].each { |path| 2.times { puts error { Dir.children(path).sort }, error { Dir.glob("#{path}/*").sort } } }
      2.times { puts Dir.pwd }
    end
  RUBY

  # What is done between two rounds of questions.
  CHANGES = {
    "nothing" => "", "a new file" => "File.write('new', 'x')", "more bytes" => "File.write('file', 'x', mode: 'a')",
    "other bytes" => "File.write('file', 'yz')", "truncate" => "File.truncate('file', 1)", "an empty file" => "File.open('file', 'w') {}",
    "a descriptor" => "$open.syswrite('more')", "ftruncate" => "$open.truncate(1)", "fchmod" => "$open.chmod(0o600)", "chmod" => "File.chmod(0, 'file')",
    "other rights" => "Process::UID.eid = 65534 rescue puts($!.class)", "utime" => "File.utime(1, 2, 'file')", "unlink" => "File.unlink('file')",
    "a link" => "File.link('file', 'dir/hard')", "a symbolic link" => "File.symlink('dir', 'no')", "a folder" => "Dir.mkdir('no'); Dir.mkdir('no/such')",
    "rename to" => "File.write('a', 'other'); File.rename('a', 'file')", "rename from" => "File.rename('file', 'b')",
    "a folder's rename" => "File.rename('dir', 'no')", "another name for a folder" => "File.unlink('below'); File.symlink('empty', 'below')",
    "rmdir" => "Dir.rmdir('empty')", "through a link" => "File.write('below/inner', 'z' * 9)", "with dots" => "File.write('dir/../dir/./inner', 'z' * 8)",
    "from another folder" => "Dir.chdir('dir') { File.write('inner', 'q') }", "another folder" => "Dir.chdir('dir')",
    "a thread" => "Thread.new { File.write('file', 'thread') }.join", "a child" => "system('echo child >> file')",
    "a fork" => "Process.wait(fork { File.write('file', 'fork'); all })", "a fork without a wait" => "$fork = fork { all }; Process.wait($fork)",
    "a file with two names" => "File.link('file', 'hard'); all; File.write('hard', 'more', mode: 'a'); all; File.unlink('hard')",
    "a log that is rotated" => "f = File.open('new', 'w'); File.rename('new', 'no'); f.syswrite('1')\nf = File.open('new', 'w'); all; f.syswrite('23')",
    "a file that was removed" => "f = File.open('new', 'w'); File.unlink('new'); f.syswrite('1'); f = File.open('new', 'w'); all; f.syswrite('23')",
    "a socket" => "require 'socket'; UNIXServer.new('no')", "the current folder's name" => "Dir.chdir('dir'); all; File.rename('../dir', '../no'); all",
    "a link of a child" => "system('ln -s dir no'); all; File.write('dir/such', 'x')",
    "a link that is moved" => "File.rename('below', 'no'); all; File.write('dir/such', '')",
    "chmod through a link" => "File.chmod(0o600, 'link')", "no name" => "print File.exist?(''), File.directory?(''), (Dir.children('') rescue 1)",
    "a link that is long" => "File.unlink('link'); system('ln', '-s', 'x' * 150, 'link'); 3.times { print File.readlink('link').size }",
    "a folder that was made before" => "Dir.mkdir('empty/x'); Dir.rmdir('empty/x'); File.write('empty/y', '')",
    "a copy" => "IO.copy_stream('dir/inner', 'file')", "a temporary file" => "File.open('dir/new', 'w') { |f| f << 'x'; f.flush; all }; File.unlink('dir/new')"
  }.freeze

  def setup
    skip "the recorder needs MRI on a 64-bit Linux" unless Frugal::Profile::Run.supported?
  end

  def test_every_change_is_seen
    CHANGES.each do |what, change|
      program = "#{ASK}\n$open = File.open('file', 'r+')\nall\n#{change}\nall\n"
      plain = run_in_world(program) { |command| system(*command) }
      found = run_in_world(program) { |command| in_mode(:compare, command) }
      assert_equal [plain, 0], [found, @counts.sum(&:different)], what
      assert_operator @counts.sum(&:equal), :>, 60, what
      given = run_in_world(program) { |command| in_mode(:give, command) }
      assert_equal plain, given, what
    end
  end

  def test_the_kernel_is_not_asked
    skip "strace is not installed" unless system("strace", "-V", out: File::NULL, err: File::NULL)

    program = "File.exist?('marker')\n9.times { File.stat('file'); File.exist?('no'); Dir.children('dir'); Dir.glob('dir/*'); " \
              "Dir.pwd; File.realpath('dir/inner') }"
    asked = calls_of_strace(:compare, program)
    given = calls_of_strace(:give, program)
    { /newfstatat\(AT_FDCWD, ".*no"/ => [9, 1], /newfstatat\(AT_FDCWD, ".*file"/ => [9, 1], /openat\(AT_FDCWD, "dir"/ => [18, 1],
      /newfstatat\(AT_FDCWD, ".*inner"/ => [9, 1] }.each do |pattern, expected|
      assert_equal expected, [asked, given].map { |calls| calls.grep(pattern).size }, pattern
    end
    assert_equal 2 * 8, asked.grep(/getcwd/).size - given.grep(/getcwd/).size # Dir.pwd and File.realpath
  end

  # -- listings --

  LISTINGS = {
    "inside of itself" => "Dir.each_child('dir') { |a| Dir.each_child('dir') { |b| puts a, b } }", "a part" => "Dir.each_child('dir') { |a| break puts(a) }",
    "a place" => "d = Dir.new('dir'); d.read; t = d.tell; x = d.read; d.seek(t); p d.read == x; d.rewind; p d.to_a.sort; d.close",
    "a lock" => "d = Dir.new('dir'); File.for_fd(d.fileno, autoclose: false).flock(File::LOCK_EX); d.close\n" \
                "File.open('dir') { |f| p f.flock(File::LOCK_EX | File::LOCK_NB) }",
    "a file without a name" => "File.open('dir', File::RDWR | File::TMPFILE) { |f| p f.stat.ftype, f.write('x') }",
    "a change while it is open" => "d = Dir.new('dir'); File.write('dir/a', ''); p d.children.sort; File.write('dir/b', '')\n" \
                                   "p d.children.sort; d.close; File.unlink('dir/a', 'dir/b')",
    "any place" => "40.times { |n| d = Dir.new('dir'); d.seek(n); 9.times { d.read }; d.close }",
    "a wait in it" => "Dir.each_child('dir') { system('touch dir/x') }; p Dir.children('dir').sort",
    "its descriptor" => "d = Dir.new('dir'); p d.children.sort, File.stat('/proc/self/fd/%d' % d.fileno).ino == File.stat('dir').ino; d.close",
    "a file in its place" => "f = File.open('file'); 3.upto(30) { |n| IO.for_fd(n, autoclose: false).reopen(f) rescue 1 }",
    "a program" => "system('ls dir; ls /proc/self/fd | wc -l')", "few descriptors" => "Process.setrlimit(:NOFILE, 12)",
    "base:" => "p Dir.glob('*', base: 'dir').sort", "a closed stream" => "d = Dir.new('dir'); d.close; p((d.read rescue 1))",
    "a new name during a listing" => "Dir.each_child('dir') { |a| File.write('dir/new', '') }; p Dir.children('dir').sort",
    "a fork during a listing" => "Dir.each_child('dir') { |a| Process.wait(fork { p Dir.children('dir').sort }) }",
    "threads" => "Array.new(4) { Thread.new { 50.times.map { Dir.children('dir').sort }.uniq } }.each { |t| p t.value }",
    "the collector" => "50.times { Dir.new('dir').read }; GC.start; p Dir.children('dir').sort"
  }.freeze

  def test_listings
    LISTINGS.each do |what, code|
      program = "#{ASK}\n3.times { p Dir.children('dir').sort, Dir.glob('dir/*').sort }\n2.times {\n#{code}\n}\nall"
      plain = run_in_world(program) { |command| system(*command) }
      assert_equal plain, run_in_world(program) { |command| in_mode(:compare, command) }, what
      assert_equal 0, @counts.sum(&:different), what
      assert_equal plain, run_in_world(program) { |command| in_mode(:give, command) }, what
      assert_operator @counts.sum(&:equal), :>, 20, what
    end
  end

  # -- what the recorder cannot see --

  def test_an_answer_that_differs_is_counted
    program = <<~'RUBY'
      parent = $$
      fork { sleep 0.05; File.rename("file", "dir/moved"); sleep 0.01 while Process.ppid == parent } # its end would be news
      File.stat("file")
      nil until File.exist?("dir/moved")
      p File.exist?("file")
    RUBY
    assert_equal "false\n", run_in_world(program) { |command| in_mode(:compare, command, [[:stat, "file"]]) }
    assert_equal 1, @counts.sum(&:different)
  end

  # -- the findings --

  def test_only_what_was_asked_before_has_an_answer
    calls = [%w[stat /a], %w[stat /a], %w[getcwd /b], %w[fstat /a], ["stat", nil]].map { |name, path| call(name.to_sym, path) }
    questions = finding([*calls, Frugal::Profile::Raise.new])
    listing = finding(%i[openat fstat readdir close].map { |name| call(name, "/d") }, :repeated_listing, 4.0)
    answers = Answers.of([questions, listing])
    assert_equal [3, 1], [questions, listing].map { |one| answers.count(one) }
    assert_equal [questions, listing], answers.findings
    assert_in_delta 2.0, answers.predicted_us(listing, 0.5)
    assert_in_delta 6.0 / 6 * 2, answers.predicted_us(questions, 2)
    assert_predicate Answers.of([finding([call(:fstat, "/a")])]), :empty?
  end

  private

  # @return [String] what the program has printed
  def run_in_world(program)
    FileUtils.rm_rf(path("w"))
    File.chmod(0o755, tree)
    program = write("w/program.rb", program)
    @folder = File.dirname(program)
    Dir.chdir(@folder) do
      File.write("file", "content")
      %w[dir empty].each { |name| Dir.mkdir(name) }
      File.write("dir/inner", "i")
      File.chmod(0o700, "dir")
      { "link" => "file", "below" => "dir" }.each { |name, to| File.symlink(to, name) }
      File.utime(5, 5, "file", "dir/inner", "dir", "empty", ".")
    end
    yield [RUBY, "--disable-gems", program, { chdir: @folder, out: path("out"), err: path("err") }]
    File.read(path("out")) + File.read(path("err"))
  end

  def in_mode(mode, command, keys = all_keys)
    questions = keys.map { |name, path| call(name, File.join(@folder, path)) }
    listings = keys.map(&:last).uniq.map { |path| call(:opendir, File.join(@folder, path).delete_suffix("/.")) }
    Answers.of([finding(questions), finding(listings, :repeated_listing)]).in_folder(mode) do |environment, counts|
      system(environment, *command)
      @counts = counts.call.values
    end
  end

  def all_keys
    names = %i[stat lstat statx access eaccess faccessat readlink realpath getcwd]
    names.product(%w[file dir dir/inner no no/such link below/inner empty ../w/file dir/new dir/moved .])
  end

  def call(name, path) = Frugal::Profile::Call.new(nil, 1, 0, 0, name, nil, path, nil, nil, 0, 0, 0, nil, nil)

  def finding(calls, kind = :redundant_call, saved_us = 6.0)
    Frugal::Profile::Finding.new(kind: kind, path: [], count: calls.size, calls: calls, saved_us: saved_us)
  end

  def calls_of_strace(mode, program)
    run_in_world(program) { |command| in_mode(mode, ["strace", "-f", "-o", File.join(@folder, "../trace"), *command]) }
    File.readlines(File.join(@folder, "../trace")).drop_while { |line| !line.include?("marker") } # Ruby's start asks, too
  end
end

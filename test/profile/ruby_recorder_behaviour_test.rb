# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/recorded_programs"

# A program under the recorder in Ruby prints what it prints without, and ends as it does.
class RubyRecorderBehaviourTest < Frugal::TestCase
  include RecordedPrograms

  def setup; end

  def same(script, *arguments, **options)
    program = write("program.rb", "Dir.mkdir('work'); Dir.chdir('work'); #{script}")
    record_same(RUBY, "-w", program, *arguments, recorder: :ruby, **options)
  end

  # @return [Array<Array(String, Integer)>] name and line of these calls
  def found(recording, call)
    recording.calls.select { |one| one.name == call && one.path }.map { |one| [File.basename(one.path), one.site&.line] }
  end

  def test_values_and_keyword_arguments
    same(<<~'RUBY')
      p File.open("k", mode: "w", perm: 0o600) { |f| f.write("a", "b") }
      p File.stat("k").mode.to_s(8), File.write("k", "\u00e9", mode: "a", encoding: "UTF-8"), File.read("k", mode: "rb").dump
      p File.read("k", 1, 1), IO.readlines("k", chomp: true).map(&:dump), Dir.glob("*", base: ".").sort, Dir["k"]
      p Dir.glob("k") { |name| p name }, Dir.each_child(".") {}, Dir.foreach(".").sort, Dir.children(".", encoding: "BINARY").first.encoding
      p File.open("k") { break 7 }, catch(:x) { Dir.open(".") { throw :x, 3 } }, Dir.open(".") { |d| d.children }, Dir.new(".").class
      p File.exist?(File), 1 rescue p $!.class, $!.message
      p File.identical?("k", "k"), File.symlink?("k"), File.exist?(File.open("k")), File::Stat.new("k").size
      p IO.copy_stream("k", "l"), File.rename("l", "m"), File.unlink("m"), File.fnmatch("k", "k")
      p open("k", &:read).dump, File.new("k", "r").close, File.open("k", File::RDWR).flock(File::LOCK_EX)
    RUBY
  end

  def test_the_last_match_and_the_last_line
    same(<<~'RUBY')
      "abc" =~ /b/
      [File.exist?("x"), Dir.children("."), Dir.glob("*") { /c/ =~ "c" }].size
      p $~[0]
      File.write("f", "one\n")
      IO.foreach("f") { p $_ }
      File.open("f") { |f| f.gets; p $_ }
    RUBY
  end

  # From Ruby 3.4 on, the frames of methods in C are missing, see docs/profiling.md.
  def test_errors_and_their_backtraces
    same(<<~'RUBY')
      def try = yield
      left_out = RUBY_VERSION < "3.4" ? /internal:|dir\.rb/ : /internal:|dir\.rb|:in '(?:File|IO|Dir|Kernel)[.#]/
      calls = [-> { File.read("no") }, -> { Dir.mkdir("no/no") }, -> { File.open("no") { } }, -> { File.rename("a", "b") },
               -> { File.stat(nil) }, -> { File.exist? }, -> { File.open("x", "q") }, -> { File.stat("\0") },
               -> { Dir.foreach(".") { raise "own" } }, -> { Dir.children("no") }, -> { spawn("/no/no") }, -> { File.unlink("no1", "no2") }]
      calls.each do |call|
        try(&call)
      rescue SystemCallError, ArgumentError, TypeError, RuntimeError => e
        p e.class, e.message, e.backtrace.grep_v(left_out), e.cause
      end
      p $!
    RUBY
  end

  def test_subclasses_and_objects_that_are_paths
    same(<<~'RUBY')
      require "pathname"
      class Log < File
        def initialize(name, *rest) = super("#{name}.log", *rest)
        def self.exist?(name) = super("#{name}.log")
      end
      Log.open("a", "w") { |f| f.puts 1; p f.path, f.class }
      p Log.exist?("a"), Pathname("a.log").read, Pathname(".").children.sort.size, File.size(Pathname("a.log"))
      named = Object.new
      def named.to_path = "a.log"
      p File.read(named), File.mtime(named).class
    RUBY
  end

  def test_methods_that_call_an_alias_of_what_they_replace
    same(<<~'RUBY')
      class Thread::Queue; alias old_pop pop; undef pop; def pop(*args) = [:mine, old_pop(*args)]; end
      module Kernel; alias old_sleep sleep; undef sleep; def sleep(*) = [:mine, old_sleep(0)]; end
      class << File; alias old_exist? exist?; undef exist?; def exist?(*args) = [:mine, old_exist?(*args)]; end
      class File; alias old_write write; def write(*args) = [:mine, old_write(*args)]; end
      class IO; alias old_read read; undef read; def read(*args) = [:mine, old_read(*args)]; end
      class Sub < Thread::Queue; def pop(*) = super; end
      queue, sub = Thread::Queue.new, Sub.new
      queue << 3 << 7
      sub << 1
      p queue.pop, sub.pop, sleep(9), File.exist?("/"), File.open("f", "w") { |f| f.write("x") }
      p Thread::Queue.instance_method(:old_pop).bind_call(queue), queue.empty?
      r, w = IO.pipe
      w << "ab"
      w.close
      p r.read, r.read(2), (File.exist? rescue $!.message)
    RUBY
  end

  def test_frozen_classes
    recording = same("[File, Dir, IO, File.singleton_class].each(&:freeze); p File.exist?('a'), Dir.children('.').size, File.frozen?")
    assert_includes found(recording, :stat), ["a", 1]
  end

  def test_what_the_program_sees_of_its_environment
    same(<<~'RUBY', env: { "RUBYOPT" => "-W0" })
      p ENV["RUBYOPT"], ENV.keys.grep(/FRUGAL/), defined?(Frugal), Thread.current.keys, Thread.current.thread_variables
      p `ruby -e 'p ENV["RUBYOPT"]'`, system({ "RUBYOPT" => nil }, "ruby", "-e", "p ENV['RUBYOPT']"), ENV["RUBYOPT"]
      p File.open(__FILE__).fileno, %i[system spawn exec exit! fork `].map { |name| Object.new.respond_to?(name) }
    RUBY
  end

  def test_fork_and_exec_and_other_children
    recording = same(<<~'RUBY')
      File.exist?("parent")
      Process.wait(fork { File.exist?("child") })
      Process.wait(fork { File.exist?("hard"); exit!(3) })
      p $?.exitstatus
      system("ruby", "-e", "File.exist?('system')")
      `ruby -e "File.exist?('shell')"`
      IO.popen(["ruby", "-e", "File.exist?('popen')"], &:read)
      Process.wait(spawn({ "A" => "b" }, "ruby", "-e", "File.exist?(ENV['A'])", unsetenv_others: false))
      begin; exec("/no/such"); rescue SystemCallError; File.exist?("after"); end
      exec("ruby", "-e", "File.exist?('exec'); exit 5")
    RUBY
    assert_equal [["after", 9], ["b", 1], ["child", 2], ["exec", 1], ["hard", 3], ["parent", 1], ["popen", 1], ["shell", 1], ["system", 1]],
                 found(recording, :stat).sort
    assert_equal ["ENOENT", nil], recording.calls.select { |call| call.name == :exec }.map(&:error)
    assert_equal [Frugal::Profile::RubyRecorder::NOTE], recording.notes
  end

  def test_threads_and_signals
    recording = same(<<~'RUBY')
      trap(:USR1) { File.exist?("handler") }
      Process.kill(:USR1, Process.pid)
      4.times.map { |n| Thread.new { 500.times { |i| File.exist?("t#{n}-#{i}") } } }.each(&:join)
      thread = Thread.new { loop { File.exist?("killed") } }
      sleep 0.01
      thread.kill.join
      p Thread.new { File.exist?("last"); Thread.current.keys }.value
    RUBY
    names = found(recording, :stat).map(&:first)
    assert_equal 2000, names.grep(/\At\d/).size
    assert_includes names, "last"
    assert_equal 0, recording.dropped
  end

  def test_ractors
    recording = record_same(RUBY, "-W0", "-e", <<~'RUBY', recorder: :ruby)
      ractor = Ractor.new { [File.exist?("r"), (File.read("r") rescue 1), Dir.exist?(".")] }
      p ractor.respond_to?(:value) ? ractor.value : ractor.take
      File.exist?("main")
    RUBY
    assert_includes found(recording, :stat), ["main", 3]
  end

  def test_names_that_are_not_utf8
    recording = same("n = \"\\xFFa\".b; File.write(n, 'x'); p File.exist?(n), File.size(n.dup.force_encoding('UTF-8')), Dir.children('.').sort.last.bytes")
    assert_equal ["\xFFa".b] * 2, recording.calls.select { |call| call.name == :stat && call.site&.line == 1 }.map { |call| File.basename(call.path).b }
  end

  def test_a_library_in_a_folder_with_white_space
    FileUtils.cp_r(LIB, mkdir("white space: x"))
    script = <<~'RUBY'
      require "#{ARGV.first}/frugal/profile"
      program = "File.exist?('a'); p ENV['RUBYOPT']; system('ruby', '-e', 'File.exist?(%q(b))')"
      print Frugal::Profile::Run.new(["ruby", "-e", program], recorder: :ruby).call.by_name[:stat]
    RUBY
    result = run_command(RUBY, "-w", "-e", script, path("white space: x/lib"), env: { "RUBYOPT" => nil }, chdir: tree)
    assert_equal ["nil\n2", ""], [result.out, result.err]
  end

  def test_a_program_that_is_killed
    recording = same("File.exist?('early'); sleep 0.3; File.exist?('late'); $stdout.sync = true; p 1; Process.kill(:KILL, $$)")
    assert_includes found(recording, :stat).map(&:first), "early"
  end

  def test_a_log_that_is_full
    recording, = record(RUBY, "--disable-gems", "-e", "30_000.times { |i| File.exist?('a' * 20 + i.to_s) }", recorder: :ruby, limit_mib: 1)
    assert_equal 30_000, recording.by_name.fetch(:stat)
    assert_equal 30_000, recording.calls.size + recording.dropped
    assert_operator recording.dropped, :>, 10_000
    assert_match(/events are counted, but have no details/, recording.notes.last)
  end

  def test_no_room_for_a_log
    folder = mkdir("logs")
    File.chmod(0o500, folder)
    env = Frugal::Profile::RubyRecorder.environment(Process.uid.zero? ? "/proc/none" : folder, limit_mib: 1, depth: 3)
    result = run_command(RUBY, "-w", "-e", "File.write('a', 'b'); print File.read('a')", env: env, chdir: tree)
    assert_equal ["b", "", true], [result.out, result.err, result.success?]
  end

  # From some moment on, the log cannot grow.
  def test_a_full_disk
    env = Frugal::Profile::RubyRecorder.environment(mkdir("logs"), limit_mib: 1, depth: 3)
    script = "size = File.size(Dir.glob('logs/*')[0]); trap(:XFSZ, 'IGNORE'); Process.setrlimit(:FSIZE, size); " \
             "3000.times { |i| File.exist?(\"none\#{i}\") }; print 'ok'"
    result = run_command(RUBY, "-w", "-e", script, env: env, chdir: tree)
    assert_equal ["ok", "", true], [result.out, result.err, result.success?]
    log = Frugal::Profile::Log.load(Dir.glob(path("logs/*")).first)
    assert_empty(log.calls.select { |call| call.path&.include?("none") })
    assert_operator log.process.dropped, :>=, 3000
  end
end

# frozen_string_literal: true

require_relative "../test_helper"
require "etc"
require "fiddle"
require "frugal/profile/run"

# The recorder in the surroundings that programs have. What a program does is the same with and without it.
class RecorderTest < Frugal::TestCase
  RACTORS = "the program has several Ractors: exceptions are counted in the main one only"

  def setup
    skip "the recorder needs MRI on a 64-bit Linux" unless Frugal::Profile::Run.supported?
  end

  # @return [Array(Frugal::Profile::Recording, String)] and what the program printed
  def record(*command, **options)
    out = path("output")
    recording = Frugal::Profile::Run.new(command, chdir: tree, out: out, err: out, **options).call
    [recording, File.binread(out)]
  end

  def record_ruby(script, **options) = record(RUBY, "-W0", "-e", script, **options)

  def paths_of(recording, name) = recording.calls.select { |call| call.name == name }.map(&:path)

  def test_an_agent_prints_no_warning
    _, output = record(RUBY, "-w", "-e", "p $VERBOSE", agent: :task)
    assert_equal "true\n", output
  end

  def test_a_call_has_its_path_result_and_line
    write("file", "content")
    recording, = record_ruby("\nFile.read('file')\nFile.mtime('none') rescue 0\n")
    read = recording.calls.find { |call| call.name == :read && call.path == path("file") }
    assert_equal ["-e", 2, 7, nil], [read.site.file, read.site.line, read.bytes, read.error]
    assert_equal %w[read <main>], read.stack.frames.map(&:label).first(2)
    missed = recording.calls.find { |call| call.path == path("none") }
    assert_equal ["ENOENT", 3], [missed.error, missed.site.line]
  end

  def test_equal_results_have_equal_hashes
    write("file", "content")
    recording, = record_ruby("3.times { |i| File.write('file', 'x' * 9) if i == 2; File.stat('file'); File.read('file') }")
    stats, reads = [%i[stat statx], %i[read]].map do |names| # from Ruby 4.0 on, File.stat is statx
      recording.calls.select { |call| names.include?(call.name) && call.path == path("file") && call.result != 0 && !call.bytes.zero? }
    end
    assert_equal [true, false], stats.map(&:result).each_cons(2).map { |a, b| a == b }
    assert_equal [true, false], reads.map(&:result).each_cons(2).map { |a, b| a == b }
  end

  def test_exceptions
    recording, = record_ruby("def deep(n) = n.zero? ? File.open('none') : deep(n - 1)\n" \
                             "[20, 50].each { |n| deep(n) rescue 0 }")
    shallow, raised = recording.raises.last(2)
    assert_equal ["Errno::ENOENT", %w[Errno::ENOENT SystemCallError StandardError Exception], "ENOENT", 1],
                 [raised.class_name, raised.ancestors, raised.error, raised.site.line]
    assert_equal 30, raised.depth - shallow.depth
    assert_equal recording.raises.size, recording.counts[:exceptions]
  end

  def test_a_process_that_is_killed_keeps_its_names
    recording, = record_ruby("def last_words = File.exist?('seen')\nlast_words; Process.kill(:KILL, Process.pid); sleep")
    assert_equal Signal.list["KILL"], recording.status.termsig
    seen = recording.calls.find { |call| call.path == path("seen") }
    assert_equal "last_words", seen.stack.frames.find(&:source?).label
  end

  def test_children_of_all_kinds
    recording, = record_ruby(<<~'RUBY')
      Process.wait(fork { File.exist?("forked") })
      Process.wait(fork { File.exist?("left"); exit!(0) })
      system("test -e executed; exit 0")
      IO.popen([{}, "ls", "listed", unsetenv_others: true, err: File::NULL], &:read)
      Process.wait(spawn("test -e spawned", chdir: "/"))
      Ractor.new { File.exist?("ractor") }.then { |ractor| ractor.respond_to?(:value) ? ractor.value : ractor.take } # 4.0
      Thread.new { Fiber.new { File.exist?("fiber") }.resume }.join
      exec(RbConfig.ruby, "-e", "File.exist?('replaced')")
    RUBY
    asked = recording.calls.filter_map { |call| call.path && File.basename(call.path) }
    assert_empty %w[forked left executed listed spawned ractor fiber replaced] - asked
    assert_equal "/spawned", recording.calls.find { |call| call.path&.end_with?("spawned") }.path
    assert_equal ractor_notes, recording.notes
  end

  # A hook belongs to one Ractor.
  def test_exceptions_of_other_ractors_are_missing_and_a_note_says_so
    script = "Ractor.new { Integer('x') rescue 0 }.value\nFloat('x') rescue 0"
    recording, = record(RUBY, "-W0", RACTOR_VALUE, "-e", script)
    assert_equal [[2], ractor_notes], [recording.raises.filter_map { |event| event.site&.line if event.class_name == "ArgumentError" }, recording.notes]
    assert_empty record_ruby("Thread.new { Integer('x') rescue 0 }.join").first.notes
  end

  # A static Ruby does not tell whether there were Ractors.
  def ractor_notes
    told = %w[ruby_single_main_ractor rb_gc_multi_ractor_p].any? do |name|
      Fiddle::Handle::DEFAULT[name]
    rescue Fiddle::DLError
      false
    end
    told ? [RACTORS] : []
  end

  def test_a_daemon_whose_folder_is_gone
    recording, = record_ruby(<<~'RUBY')
      Process.daemon(true, true)
      sleep 0.01 until Process.ppid == 1 || File.exist?("go")
      sleep 0.3
      1000.times { |i| File.exist?("later#{i}") }
      fork { 100.times { File.exist?("later") } }
      Process.wait
      File.write("done", $?.exitstatus.to_s)
    RUBY
    assert recording.status.success?
    eventually { File.size?(path("done")) }
    assert_equal "0", File.read(path("done"))
  end

  def test_the_program_does_not_see_it
    script = 'puts ENV.to_h.sort.inspect, `env | grep -v "^_="`, Dir.children("/proc/self/fd").size, File.open("/etc/passwd").fileno,
              $LOADED_FEATURES.size, ObjectSpace.each_object(TracePoint).to_a.size, (File.open("none") rescue $!.errno)'
    env = { "LD_PRELOAD" => nil, "MARK" => "x" }
    stock = run_command(RUBY, "-W0", "-e", script, chdir: tree, env: env)
    _, output = record_ruby(script, env: env)
    assert_equal stock.out.lines, output.lines
  end

  def test_status_and_signals_are_those_of_the_program
    assert_equal 7, record_ruby("exit 7").first.status.exitstatus
    assert_equal Signal.list["TERM"], record_ruby("Process.kill(:TERM, Process.pid); sleep").first.status.termsig
    [%w[no-such-command], 127, [tree], 126].each_slice(2) do |command, status|
      error = assert_raises(Frugal::CommandError) { record(*command) }
      assert_equal status, error.status
    end
  end

  def test_a_program_that_cannot_be_executed_is_one_call
    recording, = record("/bin/sh", "-c", "exec ./none")
    assert_equal 1, recording.processes.sum { |process| process.counts.fetch(:exec, 0) }
    assert_equal ["ENOENT"], recording.calls.select { |call| call.name == :exec }.map(&:error)
  end

  def test_few_descriptors_and_closed_ones
    few, = record_ruby("File.exist?('few')", rlimit_nofile: 12)
    closed, = record("sh", "-c", "exec #{RUBY} -e 'File.exist?(%q(few))' <&- >&- 2>&-")
    [few, closed].each do |recording|
      assert recording.status.success?
      assert_includes paths_of(recording, :stat), path("few")
    end
  end

  def test_an_empty_environment
    recording, output = record("env", "-i", RUBY, "--disable-gems", "-e", "File.exist?('empty'); print ENV.to_h.keys.grep(/LD_|FRUGAL/)")
    assert_includes paths_of(recording, :stat), path("empty")
    assert_equal "[]", output
  end

  def test_names_of_any_bytes
    name = "a\xFF\nb".b
    recording, = record_ruby("File.write(ARGV[0] || #{name.inspect}.b, '')")
    assert_includes paths_of(recording, :open), path("") + name
  end

  def test_no_room
    skip "only root can mount a file system" unless Process.uid.zero?

    small = mkdir("small")
    skip "no tmpfs can be mounted here" unless system("mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", small, err: File::NULL)
    begin
      environment = Frugal::Profile::Run.environment(small)
      script = "20_000.times { |i| File.exist?('name' + i.to_s) }; print 'ended'"
      result = run_command(RUBY, "-e", script, env: environment, chdir: tree)
      assert_equal "ended", result.out, result
      log = Frugal::Profile::Log.new(File.binread(Dir.glob("#{small}/*").first))
      assert_operator log.process.counts[:stat], :>=, 20_000
      assert_operator log.process.dropped, :>, 0
      assert_equal log.process.counts.sum(&:last), log.calls.size + log.raises.size + log.process.dropped
    ensure
      system("umount", small)
    end
  end

  def test_a_limit
    recording, = record_ruby("40_000.times { |i| File.exist?('name') }", limit_mib: 1)
    assert_operator recording.dropped, :>, 20_000
    assert_match(/are counted, but have no details.*--limit/, recording.notes.join)
    assert_operator recording.counts[:stats], :>=, 40_000
  end

  # Not GC.compact beside the threads: while it moves objects, the kernel cannot read a path or fill a buffer in them, and
  # the calls of other threads end with EFAULT, with the recorder or without it.
  def test_collections_of_garbage_and_threads
    recording, = record_ruby(<<~'RUBY')
      GC.compact if GC.respond_to?(:compact)
      threads = 4.times.map { |i| Thread.new { 200.times { |k| eval("File.exist?('t#{i}')"); File.read("/etc/hostname") } } }
      20.times { GC.start }
      threads.each(&:join)
    RUBY
    assert recording.status.success?
    assert_equal 800, recording.calls.count { |call| call.path&.match?(%r{/t\d\z}) }
    assert_empty(recording.calls.select { |call| call.path == "/etc/hostname" && call.site&.file != "-e" })
  end

  def test_gc_stress
    recording, = record_ruby("GC.stress = true; 2.times.map { |i| Thread.new { 5.times { File.open('no') rescue 0 } } }.each(&:join)")
    assert recording.status.success?
    assert_equal 10, recording.calls.count { |call| call.path == path("no") }
  end

  def test_another_preloaded_library_stays
    skip "there is no libm to preload" unless (other = Dir.glob("/lib/*/libm.so.6").first)
    recording, output = record_ruby("print ENV['LD_PRELOAD'], ' ', `printenv LD_PRELOAD`", env: { "LD_PRELOAD" => "" })
    assert_equal " ", output.delete("\n")
    with_preload(other) { recording, output = record_ruby("print ENV['LD_PRELOAD'], ' ', `printenv LD_PRELOAD`") }
    assert_equal "#{other} #{other}", output.delete("\n")
    assert_operator recording.processes.size, :>=, 2
  end

  def with_preload(library)
    before = ENV.fetch("LD_PRELOAD", nil)
    ENV["LD_PRELOAD"] = library
    yield
  ensure
    ENV["LD_PRELOAD"] = before
  end

  def test_a_measured_block_in_a_process_that_was_not_preloaded
    script = <<~'RUBY'
      require ARGV[0]
      require "frugal/profile/log"
      Frugal::Recorder.start
      File.exist?("measured")
      log = Frugal::Recorder.stop
      File.exist?("not measured")
      calls = Frugal::Profile::Log.new(log).calls
      print calls.map { |call| [call.name, File.basename(call.path), call.site.line] }.inspect
    RUBY
    result = run_ruby("-e", script, Frugal::Profile::Run.library, chdir: tree)
    assert_equal '[[:stat, "measured", 4]]', result.out, result
  end
end

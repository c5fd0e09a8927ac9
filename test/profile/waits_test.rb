# frozen_string_literal: true

require_relative "../test_helper"
require "frugal/profile"

# What the recorder takes for a wait: for time, for another thread or process, or for news from outside.
class WaitsTest < Frugal::TestCase
  # Ruby code by what it does; each runs between two questions.
  WAITS = {
    "sleep" => "sleep 0.001", "Kernel.sleep" => "Kernel.sleep(0.001)", "sleep that is interrupted" => "Timeout.timeout(0.001) { sleep } rescue 1",
    "Mutex#sleep" => "m = Mutex.new; m.synchronize { m.sleep(0.001) }",
    "ConditionVariable#wait" => "m = Mutex.new; m.synchronize { ConditionVariable.new.wait(m, 0.001) }",
    "Thread#join" => "Thread.new {}.join", "Thread.stop" => "t = Thread.current; Thread.new { Thread.pass until t.stop?; t.wakeup }; Thread.stop",
    "getaddrinfo" => "Addrinfo.getaddrinfo(%(localhost), 80)", "getnameinfo" => "Addrinfo.tcp(%(127.0.0.1), 80).getnameinfo",
    "Thread#value" => "Thread.new { 1 }.value",
    "select" => "$pipe[1] << 'x'; IO.select([$pipe[0]])", "a timeout of select" => "IO.select([$quiet], nil, nil, 0.001)",
    "gets" => "$pipe[1] << %(line\\n); $pipe[0].gets", "read_nonblock with input" => "$pipe[1] << 'x'; $pipe[0].read_nonblock(9)",
    "a FIFO that was opened before" => "$fifo[1].syswrite('x'); $fifo[0].sysread(1)", "/dev/zero" => "File.open('/dev/zero') { |f| f.sysread(1) }",
    "$stdin" => "$stdin.read(1)", "a FIFO" => "File.mkfifo('fifo'); Thread.new { File.write('fifo', 'x') }; File.read('fifo')",
    "system" => "system('true')", "a backtick" => "`true`", "wait" => "Process.wait(spawn('true'))", "waitpid2" => "Process.waitpid2(spawn('true'))",
    "waitall" => "spawn('true'); Process.waitall", "detach" => "Process.detach(spawn('true')).value", "popen" => "IO.popen('true', &:read)",
    "accept" => "TCPSocket.new('127.0.0.1', $server.addr[1]); $server.accept", "connect" => "TCPSocket.new('127.0.0.1', $server.addr[1])",
    "other rights" => "Process::Sys.setresuid(Process.uid, Process.uid, Process.uid)", "another group" => "Process::Sys.setgid(Process.gid)",
    "recv" => "a, b = UNIXSocket.pair; b.send('x', 0); a.recv(1)", "flock" => "File.open('lock', 'w') { |f| f.flock(File::LOCK_EX) }",
    "Queue#pop" => "$queue.pop", "Queue#deq" => "$queue.deq", "SizedQueue#pop" => "$sized.pop", "SizedQueue#push" => "$sized.push(1)",
    "fcntl" => "File.open('lock', 'w') { |f| f.fcntl(Fcntl::F_SETLK, [Fcntl::F_WRLCK, 0, 0, 0, 0].pack('s2x4q2ix4')) }"
  }.freeze
  NO_WAITS = {
    "nothing" => "nil", "a computation" => "9.times { |i| i ** 999 }", "select without a timeout" => "IO.select([$quiet], nil, nil, 0)",
    "read_nonblock without input" => "$quiet.read_nonblock(9, exception: false)", "methods of Array" => "[1, 2].tap { |a| a.push(a.pop) }.join",
    "a thread that starts" => "$threads << Thread.new {}", "a Mutex" => "Mutex.new.synchronize {}", "output" => "$pipe[1] << 'x'; $stdout.write('x')",
    "unlock" => "$lock.flock(File::LOCK_UN)", "no child yet" => "Process.wait($child, Process::WNOHANG)", "a file" => "File.read($0); File.write('f', 'x')",
    "a thread that waits" => "$threads << Thread.new { sleep 0.001 }; Thread.pass"
  }.freeze
  HEAD = <<~RUBY
    require "socket"
    require "timeout"
    require "fcntl"
    $pipe, ($quiet, $mute), $server, $queue, $sized, $threads = IO.pipe, IO.pipe, TCPServer.new("127.0.0.1", 0), Queue.new, SizedQueue.new(99), []
    9.times { |i| $queue << i; $sized << i }
    $lock = File.open("lock", "w")
    File.mkfifo("named") unless File.exist?("named")
    $fifo = Array.new(2) { File.open("named", "r+") }
  RUBY
  CHILD = "$child = spawn('sleep 60'); at_exit { Process.kill(:KILL, $child) }\n" # waitall would wait for it

  def setup
    skip "the recorder needs MRI on a 64-bit Linux" unless Frugal::Profile::Run.supported?
  end

  def test_waits
    assert_empty WAITS.keys - waited(WAITS)
    assert_empty waited(NO_WAITS, CHILD)
  end

  # The recorder forgets the paths of descriptors when a folder gets another name.
  def test_a_fifo_after_a_folder_was_renamed
    recording = record(<<~'RUBY')
      File.mkfifo("fifo")
      fifo = File.open("fifo", "r+")
      Dir.mkdir("a") && File.rename("a", "b")
      fifo.syswrite("x")
      File.exist?("/before")
      fifo.sysread(1)
      File.exist?("/after")
    RUBY
    names = recording.events.drop_while { |event| event.path != "/before" }.map(&:name)
    assert_equal %i[stat wait stat], names.first(3)
  end

  # Ruby gives a new thread the kernel's thread of one that has ended.
  def test_a_thread_that_starts_knows_nothing
    recording = record("3.times { Thread.new { File.exist?('/asked') }.join; sleep 0.01 }")
    assert_equal 3, recording.events.count { |event| event.path == "/asked" }
    model = Frugal::Profile::CostModel.new(calls: { stat: [1.0, 1.0] }, overheads: { stat: 0.0 }, exceptions: { 10 => 1.0 })
    found = Frugal::Profile::Analyzer.new(recording, model).findings
    assert_empty(found.select { |finding| finding.kind == :redundant_call && finding.examples == ["/asked"] })
  end

  def test_waitid_with_an_invalid_pointer
    program = write("waitid.c", "#include <sys/wait.h>\nint main(void) { return waitid(P_ALL, 0, (siginfo_t *)1, WNOHANG | WEXITED) != -1; }\n")
    assert system("cc", "-w", "-o", path("waitid"), program)
    assert_predicate Frugal::Profile::Run.new([path("waitid")]).call.status, :success?
  end

  # One is enough for its reader, and the log stays small.
  def test_between_two_other_events_there_is_one_wait
    program = "File.exist?('/before'); 50.times { sleep 0.0001 }; File.exist?('/after')"
    names = record(program).events.drop_while { |event| event.path != "/before" }.map(&:name)
    assert_equal %i[stat wait stat], names.first(3)
  end

  def test_waits_are_no_file_calls
    counts = ["", "sleep 0.001; "].map { |wait| record("#{wait}File.exist?('/x')").counts }
    assert_equal(*counts)
  end

  private

  # @return [Array<String>] the names of the programs during which the main thread waited
  def waited(programs, child = "")
    questions = programs.flat_map { |name, code| ["File.exist?(#{question(name).dump})", code] }
    events = record("#{HEAD}#{child}#{questions.join("\n")}\nFile.exist?('/end')").events
    main = events.find { |event| event.path == question(programs.keys.first) }
    own = events.select { |event| event.process.equal?(main.process) && event.thread == main.thread }
    programs.keys.select do |name|
      during = own.drop_while { |event| event.path != question(name) }.drop(1)
                  .take_while { |event| !event.path.to_s.start_with?("/asked/", "/end") }
      during.any? { |event| event.name == :wait }
    end
  end

  def question(name) = "/asked/#{name}"

  def record(program)
    file = write("program.rb", program)
    input, output = IO.pipe
    output << "input"
    recording = Frugal::Profile::Run.new([RUBY, "--disable-gems", file], chdir: File.dirname(file), in: input, out: File::NULL).call
    assert_predicate recording.status, :success?
    recording
  ensure
    [input, output].each(&:close)
  end
end

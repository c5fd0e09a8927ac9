# frozen_string_literal: true

# uses: jruby

require_relative "../test_helper"
require_relative "../support/recorded_programs"

# The recorder in Ruby writes a wait between two events if the thread waited in between, or got news from outside.
class RubyRecorderWaitsTest < Frugal::TestCase
  include RecordedPrograms

  JRUBY = File.join(ROOT, "test/support/jruby")
  PIPE = "r, w = IO.pipe; w << %(ab\\ncd\\n); w.close; "
  SERVER = "s = TCPServer.new(%(127.0.0.1), 0); "
  FIFO = "File.mkfifo(%(fifo)); t = Thread.new { File.write(%(fifo), %(text)) }; f = File.open(%(fifo)); f.fileno; "
  # Each case is code before the first marker and code between the two.
  WAITS = {
    sleep: ["", "sleep 0.001"], kernel_sleep: ["", "Kernel.sleep(0.001)"],
    mutex: ["m = Mutex.new", "m.synchronize { m.sleep(0.001) }"],
    variable: ["m = Mutex.new; c = ConditionVariable.new", "m.synchronize { c.wait(m, 0.001) }"],
    queue: ["q = Queue.new; q << 1", "q.pop"], queue_shift: ["q = Queue.new; q << 1", "q.shift"],
    sized_pop: ["q = SizedQueue.new(1); q.push(1)", "q.deq"], sized_push: ["q = SizedQueue.new(1)", "q.push(1)"],
    join: ["t = Thread.new {}", "t.join"], value: ["t = Thread.new {}", "t.value"],
    join_of_an_error: ["t = Thread.new { raise ArgumentError }; t.report_on_exception = false", "(t.join rescue 0)"],
    select: [PIPE, "IO.select([r], nil, nil, 0)"], select_without_result: ["r, w = IO.pipe", "select([r], nil, nil, 0.001)"],
    wait_readable: [PIPE, "r.wait_readable"], wait: [PIPE, "r.wait(0)"],
    read: [PIPE, "r.read"], readlines: [PIPE, "r.readlines"], readpartial: [PIPE, "r.readpartial(1)"], sysread: [PIPE, "r.sysread(1)"],
    nonblock: [PIPE, "r.read_nonblock(1)"], getc: [PIPE, "r.getc"], eof: [PIPE, "r.eof?"], each_line: [PIPE, "r.each_line { 1 }"],
    each_char: [PIPE, "r.each_char.first"], copy: [PIPE, "IO.copy_stream(r, File::NULL)"],
    end_of_file: ["r, w = IO.pipe; w.close", "(r.readbyte rescue 0)"],
    fifo: [FIFO, "f.read"],
    accept: ["#{SERVER}t = Thread.new { TCPSocket.new(%(127.0.0.1), s.addr[1]) }", "s.accept"],
    connect: [SERVER, "TCPSocket.new(%(127.0.0.1), s.addr[1])"],
    recv: ["a, b = UNIXSocket.pair; a << 1", "b.recv(1)"], socket: ["a, b = UNIXSocket.pair; a << 1", "b.read_nonblock(1)"],
    child: ["x = spawn(%(true))", "Process.wait(x)"], child2: ["x = spawn(%(true))", "Process.wait2(x)"], children: ["spawn(%(true))", "Process.waitall"],
    detached: ["x = spawn(%(true))", "Process.detach(x).value"],
    system: ["", "system(%(true))"], system_fails: ["", "(system(%(false), exception: true) rescue 0)"],
    shell: ["", "`true`"], popen: ["", "IO.popen(%(true), &:read)"], popen_writes: ["", "IO.popen(%(true), %(w)) {}"],
    close: ["i = IO.popen(%(true), %(w))", "i.close"],
    lock: ["f = File.open(%(lock), %(w))", "f.flock(File::LOCK_EX)"], nonblocking_lock: ["f = File.open(%(lock2), %(w))", "f.flock(File::LOCK_SH | File::LOCK_NB)"]
  }.freeze
  OTHERS = {
    nothing: ["", ""], empty_queue: ["q = Queue.new", "(q.pop(true) rescue 0)"], select: ["r, w = IO.pipe", "IO.select([r], nil, nil, 0)"],
    join: ["q = Queue.new; t = Thread.new { q.pop }", "t.join(0)"],
    would_block: ["r, w = IO.pipe", "(r.read_nonblock(1) rescue 0)"],
    symbol: ["r, w = IO.pipe", "r.read_nonblock(1, exception: false)"], nobody: [SERVER, "s.accept_nonblock(exception: false)"],
    not_ready: ["r, w = IO.pipe", "r.wait_readable(0)"],
    no_child: ["Process.waitall", "(Process.wait rescue 0)"], no_children: ["Process.waitall", "Process.waitall"],
    running: ["x = spawn(%(sleep 1))", "Process.wait(x, Process::WNOHANG)"], no_command: ["", "system(%(/no/such))"],
    file: ["f = File.open(__FILE__)", "f.read(1); f.getc; f.each_line {}; f.eof?; f.readlines; f.rewind; f.sysread(1)"],
    unlock: ["f = File.open(%(lock), %(w))", "f.flock(File::LOCK_UN)"],
    locked: ["f, g = [0, 1].map { File.open(%(lock3), %(w)) }; f.flock(File::LOCK_EX)", "g.flock(File::LOCK_EX | File::LOCK_NB)"],
    close: ["r, w = IO.pipe", "r.close; w.close"]
  }.freeze

  def setup; end

  def java? = File.directory?("#{ROOT}/tmp/jruby/lib") && system("java", "-version", err: File::NULL, out: File::NULL)

  FROM = %r{/from \w+\z}

  # @param cases [Hash{Symbol => Array(String, String)}]
  # @return [Hash{Symbol => Integer}] the number of waits of each case
  def waits(cases, *ruby)
    lines = cases.map { |name, (before, code)| "-> { #{before}; File.exist?('from #{name}'); #{code}; File.exist?('to #{name}') }.call" }
    recording, output = record(*ruby, write("program.rb", "require 'socket'\n#{lines.join("\n")}\n"), recorder: :ruby)
    assert recording.status.success?, output
    assert_empty output
    assert_equal 0, recording.dropped
    count(recording)
  end

  # @return [Hash{Symbol => Integer}] how many waits the main thread wrote between the two markers of each case
  def count(recording)
    main = recording.events.find { |event| event.path&.match?(FROM) }.thread
    cases = recording.events.select { |event| event.thread == main }.slice_before { |event| event.path&.match?(FROM) }
    cases.select { |events| events.first.path&.match?(FROM) }.to_h do |events|
      inside = events.take_while { |event| !event.path&.match?(%r{/to \w+\z}) }
      [events.first.path[/\w+\z/].to_sym, inside.count { |event| event.name == :wait }]
    end
  end

  # @return [Array<String, Symbol>] names of files, and waits, in the order of the events of all threads
  def order(recording)
    recording.events.filter_map { |event| event.name == :wait ? :wait : (event.name == :stat && File.basename(event.path)) }
  end

  def test_waits = assert_equal(WAITS.transform_values { 1 }, waits(WAITS, RUBY))

  def test_calls_that_do_not_wait = assert_equal(OTHERS.transform_values { 0 }, waits(OTHERS, RUBY))

  def test_jruby
    skip "there is no Java, or no JRuby in tmp/jruby" unless java?
    assert_equal WAITS.transform_values { 1 }, waits(WAITS, JRUBY)
    assert_equal OTHERS.transform_values { 0 }, waits(OTHERS, JRUBY)
  end

  # @return [Frugal::Profile::Recording]
  def same(script, **options)
    record_same(RUBY, "-w", write("program.rb", "Dir.mkdir('work'); Dir.chdir('work'); #{script}"), recorder: :ruby, **options)
  end

  def test_a_wait_has_no_details
    recording, = record(RUBY, "--disable-gems", "-e", "sleep 0.001", recorder: :ruby)
    wait = recording.events.find { |event| event.name == :wait }
    assert_equal [nil, nil, 0, nil], [wait.path, wait.site, wait.duration, wait.error]
  end

  def test_one_wait_between_two_other_events
    recording, = record(RUBY, "--disable-gems", "-e", <<~'RUBY', recorder: :ruby)
      queues = Array.new(2) { Queue.new }
      echo = Thread.new { 300.times { queues.last << queues.first.pop } }
      300.times { |i| queues.first << i; queues.last.pop }
      echo.join
      File.exist?("a")
      3.times { sleep 0.001 }
    RUBY
    assert_equal({ 1 => 1, 2 => 1 }, recording.events.select { |event| event.name == :wait }.group_by(&:thread).values.map(&:size).tally)
  end

  def test_signal_handlers_and_forks
    recording = same(<<~'RUBY')
      trap(:USR1) { File.exist?("handler") }
      parent = $$
      File.exist?("first")
      pid = fork { sleep 0.05; File.exist?("child"); Process.kill(:USR1, parent); sleep 0.2; exit!(0) }
      Process.wait(pid)
      File.exist?("last")
    RUBY
    assert_equal ["first", :wait, "child", "handler", :wait, :wait, "last"], order(recording)
  end

  def test_standard_input
    script = write("gets.rb", "File.exist?('0'); p gets, $_; File.exist?('1'); readline; p $_; File.exist?('2'); p $stdin.each_line.to_a; File.exist?('3')")
    input = write("input", "a\nb\nc\n")
    recording, output = record("sh", "-c", "cat #{input} | #{RUBY} -w --disable-gems #{script}", recorder: :ruby)
    assert_equal "#{%w[a a b].map { |line| "#{line}\n".inspect }.join("\n")}\n#{["c\n"].inspect}\n", output
    assert_equal ["0", "1", "2", :wait, "3"], order(recording) # gets and readline set $_
    recording, = record(RUBY, "-w", "--disable-gems", script, recorder: :ruby, in: input)
    assert_equal %w[0 1 2 3], order(recording)
    recording, = record(RUBY, "-w", "--disable-gems", script, input, recorder: :ruby) # the third one reads /dev/null
    assert_equal ["0", "1", "2", :wait, "3"], order(recording)
  end

  def test_the_last_line
    same(<<~'RUBY')
      r, w = IO.pipe
      w << "a\nb\nc\nd\ne\nf\n"
      w.close
      $stdin.reopen(r)
      gets
      p $_
      [1].each { gets(chomp: true) }
      p $_
      ARGF.gets("d")
      p $_, $stdin.gets, $_
      $stdin.each_line { p $_ }
      p readline rescue p $!, $!.backtrace.map { |line| line[/:\d+:/] }, $_
      p gets, $_
    RUBY
  end

  def test_input_of_a_ractor
    same(<<~'RUBY')
      $VERBOSE = nil
      r, w = IO.pipe
      w << "a\n"
      w.close
      $stdin.reopen(r)
      ractor = Ractor.new { [gets, sleep(0.001), $stdin.class, IO.pipe.then { |r, w| w << "b"; w.close; [r.each_line.to_a, r.eof?, r.close] }] }
      p ractor.respond_to?(:value) ? ractor.value : ractor.take
    RUBY
  end

  def test_exceptions_and_their_backtraces
    same(<<~'RUBY')
      def try = yield
      left_out = RUBY_VERSION < "3.4" ? /internal:/ : /internal:|:in '[A-Z][\w:]*[.#]/
      r, w = IO.pipe
      failed = Thread.new { Thread.current.report_on_exception = false; raise "own" }
      calls = [-> { sleep(-1) }, -> { sleep("x") }, -> { Queue.new.pop(true) }, -> { Process.wait }, -> { r.read_nonblock(1) }, -> { failed.join },
               -> { failed.value }, -> { IO.select(1) }, -> { w.read }, -> { r.read(-1) }, -> { Process.waitpid(1, 2, 3) }, -> { system("false", exception: true) },
               -> { IO.popen("echo a") { |io| io.each_line { raise "in a block" } } }, -> { IO.allocate.close }, -> { IO.allocate.read }, -> { r.close; r.getc },
               -> { q = SizedQueue.new(1); q.close; q.push(1) }, -> { Mutex.new.sleep(1) }, -> { [].each(&:gets) && IO.allocate.each_line {} }]
      calls.each do |call|
        p try(&call)
      rescue SystemCallError, IOError, StandardError => e
        p e.class, e.message, e.backtrace.grep_v(left_out), e.cause
      end
      p $!
    RUBY
  end

  def test_interrupts
    same(<<~'RUBY')
      require "timeout"
      m = Mutex.new
      c = ConditionVariable.new
      r, = pipe = IO.pipe
      waits = { sleep: -> { sleep }, queue: -> { Queue.new.pop }, mutex: -> { m.synchronize { m.sleep } }, variable: -> { m.synchronize { c.wait(m) } },
                join: -> { Thread.new { sleep }.join }, read: -> { r.read(1) }, select: -> { IO.select([r]) }, each: -> { r.each_line {} },
                stop: -> { Thread.stop }, child: -> { system("sleep", "2") } }
      waits.each do |name, code|
        p name, (Timeout.timeout(0.05, &code) rescue [$!.class, $!.message])
        thread = Thread.new { Thread.current.report_on_exception = false; begin; code.call; ensure; p :ensure, $!.class; end }
        sleep 0.02
        thread.raise(KeyError, "other")
        p (thread.value rescue [$!.class, $!.message, $!.backtrace.grep(/program/).map { |line| line[/program.rb:\d+/] }])
        thread = Thread.new { begin; code.call; ensure; File.exist?("e"); end }
        sleep 0.02
        p thread.kill.join.equal?(thread), thread.value
      end
      q = Queue.new
      thread = Thread.new { Thread.handle_interrupt(KeyError => :never) { sleep 0.1; q << :done } rescue q << $!.class }
      sleep 0.02
      thread.raise(KeyError)
      thread.join
      p q.pop, q.pop
      thread = Thread.new { Thread.stop; 5 }
      Thread.pass until thread.stop?
      p thread.wakeup.value
      begin
        Process.kill(:INT, $$)
        sleep
      rescue Interrupt
        p $!.backtrace.map { |line| line[/program.rb.*/] }
      end
    RUBY
  end

  def test_results_blocks_and_what_objects_respond_to
    same(<<~'RUBY')
      p IO.method_defined?(:wait_readable), Object.new.respond_to?(:sleep), Object.new.respond_to?(:gets), ARGF.respond_to?(:gets)
      require "io/wait"
      require "socket"
      p TCPServer.instance_method(:accept_nonblock).arity.class, TCPServer.private_method_defined?(:initialize), Socket.method_defined?(:recv)
      pipe = -> { IO.pipe.then { |r, w| w << "a\nb\nc"; w.close; r } }
      p pipe.().each_line { |line| break line }, pipe.().each_line(chomp: true).to_a, pipe.().each_line("b", 1).with_index.to_a, pipe.().each_line(&:size).class
      p pipe.().map(&:upcase), pipe.().each_char.first(2), pipe.().each_byte.sum, pipe.().first, pipe.().each_slice(2).to_a, pipe.().lazy.map(&:size).to_a
      p pipe.().each_line(&lambda { |line| line }).class, pipe.().each_line(&method(:String)).class, catch(:x) { pipe.().each { throw :x, 4 } }
      p pipe.().each_line.size, pipe.().each_char.inspect[/:each_char/], pipe.().each.next, [pipe.()].flat_map(&:readlines)
      p pipe.().readpartial(9, +"x"), pipe.().read(2, s = +""), s, pipe.().read_nonblock(1, exception: false), pipe.().wait_readable.class
      p Thread.new { 3 }.value, Thread.new { 3 }.join(1).class, sleep(0), IO.select([pipe.()]).map(&:size), Queue.new.tap { |q| q << nil }.pop
      p Process.wait2(spawn("exit 3")).last.exitstatus, $?.exitstatus, system("exit 4"), $?.exitstatus, `echo a`, Process::Status.wait(spawn("true")).success?
      p IO.popen("cat", "r+") { |io| io << "a"; io.close_write; io.read }, $?.success?, IO.popen("exit 2").close, $?.exitstatus
      s = TCPServer.new("127.0.0.1", 0)
      c = TCPSocket.new("127.0.0.1", s.addr[1])
      a = s.accept
      a << "text"
      p c.recv(2), c.read_nonblock(9), s.accept_nonblock(exception: false), UNIXSocket.pair.first.recv_nonblock(1, exception: false), a.close
      class Named < IO
        def read(*) = [:own, super]
        def pid = raise
      end
      i = Named.for_fd(pipe.().tap { |r| r.autoclose = false }.fileno)
      require "stringio"
      p i.read(1), i.close, IO.copy_stream(pipe.(), "copy"), IO.copy_stream(StringIO.new("abc"), "copy"), IO.copy_stream("copy", File.open(File::NULL, "w"))
      f = File.open("copy")
      f.read
      p f.reopen(pipe.()).read
    RUBY
  end
end

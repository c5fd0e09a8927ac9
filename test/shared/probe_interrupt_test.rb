# frozen_string_literal: true

require_relative "../test_helper"

# A waiting probe can be interrupted, lets other threads run, and leaves no descriptor open.
class ProbeInterruptTest < Frugal::TestCase
  # Each `stat` of a batch is delayed, by more than a minute in total. So the script ends in time only if the batch is
  # interrupted. In plain Ruby, JRuby checks for an interrupt only in every 4096th iteration of a loop.
  MICROSECONDS, PATHS = RUBY_ENGINE == "jruby" && Frugal::Native.engine_name == :pure ? [300, 300_000] : [10_000, 100_000]
  DELAY = "inject=?stat,?newfstatat,?statx:delay_enter=#{MICROSECONDS}"
  BATCH = <<~RUBY
    paths = [ARGV[0]] * #{PATHS}
    def wait_for_its_call(thread) # JRuby shows a thread in a system call as running
      RUBY_ENGINE == "jruby" ? sleep(0.2) : (Thread.pass until thread.stop?)
    end
  RUBY

  # One process for all four: a JVM takes seconds.
  def test_kill_and_timeout
    assert_interrupted %w[kill timeout].product(%w[mtimes stats]), <<~RUBY
      require "timeout"
      %i[mtimes stats].each do |batch|
        thread = Thread.new { Frugal.public_send(batch, paths) }
        wait_for_its_call(thread)
        thread.kill.join
        puts "kill \#{batch}"
      end
      %i[mtimes stats].each do |batch|
        Timeout.timeout(0.1) { Frugal.public_send(batch, paths) }
      rescue Timeout::Error
        puts "timeout \#{batch}"
      end
    RUBY
  end

  def test_ctrl_c
    skip "JRuby ends at once, without an Interrupt" if RUBY_ENGINE == "jruby"

    assert_interrupted [%w[interrupt mtimes], %w[interrupt stats]], <<~RUBY
      main = Thread.current
      %i[mtimes stats].each do |batch|
        Thread.new { wait_for_its_call(main); Process.kill(:INT, Process.pid) }
        Frugal.public_send(batch, paths)
      rescue Interrupt
        puts "interrupt \#{batch}"
      end
    RUBY
  end

  def test_a_batch_continues_after_a_trap
    paths = Array.new(20_000) { |i| i.odd? ? tree : path("missing") }
    times = paths.map { |name| name == tree ? File.mtime(tree) : nil }
    inodes = paths.map { |name| name == tree ? File.stat(tree).ino : nil }
    while_signalled do
      5.times do
        assert_equal times, Frugal.mtimes(paths)
        assert_equal inodes, Frugal.stats(paths).map { |stat| stat&.ino }
      end
    end
  end

  def test_a_read_continues_after_a_trap
    skip "JRuby's traps run on threads of the JVM's: no read is interrupted" if RUBY_ENGINE == "jruby"

    File.mkfifo(path("fifo"))
    text = "text " * 1000
    signals = while_signalled do |seen|
      writer = Thread.new do
        wait_for(seen, 3) # while the reader waits in open
        File.open(path("fifo"), "w") do |fifo|
          wait_for(seen, 6) # while the reader waits in read
          fifo.write(text)
        end
      end
      assert_equal text, Frugal.read(path("fifo"))
      writer.join
    end
    assert_operator signals, :>=, 6
  end

  def test_an_interrupted_read_leaves_no_descriptor_open
    skip "JRuby cannot interrupt a read of a fifo" if RUBY_ENGINE == "jruby"

    File.mkfifo(path("fifo"))
    before = open_descriptors
    kill_asleep { Frugal.read(path("fifo")) } # in open
    File.open(path("fifo"), File::RDWR) do
      reader = Thread.new { Frugal.read(path("fifo")) }
      # On Ruby 3.3 File.read itself leaks a descriptor if it is killed as `open` returns, so kill it in `read`.
      Thread.pass until reader.stop? && open_descriptors.count(path("fifo")) == 2
      reader.kill.join
    end
    assert_empty open_descriptors - before # fewer, where what earlier tests left is collected only now
  end

  def test_descriptors_close_on_exec
    File.mkfifo(path("fifo"))
    reader = File.open(path("fifo"), File::RDWR) do
      reader = Thread.new { Frugal.read(path("fifo")) }
      Thread.pass until open_descriptors.count(path("fifo")) == 2
      inherited = run_command("sh", "-c", "readlink /proc/self/fd/*")
      refute_includes inherited.out, path("fifo")
      reader
    end
    assert_equal "", reader.value # it ended when the last writer closed
  end

  private

  def assert_interrupted(expected, script)
    skip "system calls are held up with strace, which is not here" unless Cost::Strace.available?

    result = run_command("strace", "-f", "-qq", "-o", File::NULL, "-P", write("a"), "-e", DELAY,
                         RUBY, "-W0", "-I", LIB, "-rfrugal", "-e", BATCH + script, path("a"), timeout: 60)
    assert_equal expected.map { |one| one.join(" ") }, result.out.lines(chomp: true), result
  end

  # @return [Integer] how many signals were handled
  def while_signalled
    seen = [0]
    before = trap(:USR1) { seen[0] += 1 }
    sender = Thread.new do
      loop do
        Process.kill(:USR1, Process.pid)
        sleep 0.001
      end
    end
    yield seen
    seen[0]
  ensure
    sender.kill.join
    # The last signal may still be on its way to a thread of the JVM.
    trap(:USR1, RUBY_ENGINE == "jruby" ? "IGNORE" : before)
  end

  def wait_for(seen, count)
    start = seen[0]
    sleep 0.001 until seen[0] - start >= count
  end

  def kill_asleep(&block)
    thread = Thread.new(&block)
    Thread.pass until thread.stop?
    thread.kill.join
  end

  def open_descriptors
    GC.start # closes descriptors of earlier tests now, not between two listings
    Dir.children("/proc/self/fd").filter_map do |fd|
      File.readlink("/proc/self/fd/#{fd}")
    rescue Errno::ENOENT
      nil # the descriptor of this listing
    end.sort
  end
end

# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/file_checkers"

# What happens to a process that asks checkers of files: threads, forks, signals, other users, collections.
class FileUpdateCheckerEventsTest < Frugal::TestCase
  include FileCheckers

  def test_folders_that_cannot_be_read
    skip "for root" unless Process.uid.zero?
    ours, stock = compare(<<~'RUBY', tree: <<~'TREE')
      File.chmod(0, "app/closed")
      Process::Sys.setuid(65_534)
      checker = watch([], "app" => %w[rb], "app/closed" => [])
      sleep 0.05
      3.times { p checker.updated? }
      checker = watch([], "app/sealed" => %w[rb], "app/open" => %w[rb])
      3.times { p checker.updated? }
    RUBY
      FileUtils.mkdir_p(%w[app/closed app/open app/sealed])
      File.write("app/closed/a.rb", "")
      File.write("app/sealed/b.rb", "");
    TREE
    assert_equal stock, ours
  end

  def test_threads_and_forks
    _, stock = compare(script = <<~'RUBY')
      checker = watch([], "app" => %w[rb], Dir.pwd => [])
      p Array.new(8) { Thread.new { Array.new(50) { checker.updated? } } }.flat_map(&:value).tally
      read, write = IO.pipe
      busy = Thread.new { loop { checker.updated? } }
      20.times { fork { write.print checker.updated?, checker.updated?; write.close; exit! } }
      busy.kill.join
      Process.waitall
      write.close
      p read.read.scan(/true|false/).tally
      p checker.updated?
      File.write("app/new.rb", "")
      p Array.new(4) { Thread.new { checker.updated? } }.map(&:value).tally
    RUBY
    ours = run_upstream(UPSTREAMS.last, OURS + TREE + script).out
    assert_equal stock, ours
    assert_equal %({false=>400}\n{"false"=>40}\nfalse\n{true=>4}\n), ours
  end

  # Those that others raise while the engine waits are the program's, whatever their class.
  def test_exceptions_of_others
    ours, stock = compare(<<~'RUBY', tree: <<~'TREE')
      require "timeout"
      checker = watch([], "tree" => %w[rb])
      checker.updated?
      [Errno::ETIMEDOUT, IOError, ArgumentError].each do |error|
        Timeout.timeout(0.002, error) { loop { checker.updated? } }
      rescue error
        p error
      end
      trap("USR1") { raise Errno::EINTR, "handler" }
      Thread.new { sleep 0.01; Process.kill("USR1", $$) }
      begin
        loop { checker.updated? }
      rescue Errno::EINTR => e
        p e.message, e.backtrace.grep(%r{lib/frugal})
      end
      p checker.updated?
    RUBY
      FileUtils.mkdir_p("tree")
      2000.times { |number| File.write("tree/#{number}.rb", "") }
      sleep 0.05
    TREE
    assert_equal stock, ours
  end

  # A process that has given up its rights must not answer from what it has listed before.
  def test_another_user
    skip "for root" unless Process.uid.zero?
    ours, stock = compare(<<~'RUBY')
      File.chmod(0o711, "app/models")
      sleep 0.05
      checker = watch([], "app" => %w[rb])
      2.times { p checker.updated? }
      $stdout.flush
      Process.wait(fork { Process::Sys.setuid(65_534); 2.times { p checker.updated? } })
      Process::Sys.seteuid(65_534)
      p checker.updated?
      Process::Sys.seteuid(0)
      p checker.execute, checker.updated?
    RUBY
    assert_equal stock, ours
    assert_match(/true/, stock)
  end

  # A large tree, while signals and exceptions arrive.
  def test_interrupts
    result = run_upstream(UPSTREAMS.last, <<~RUBY)
      #{OURS}
      200.times { |one| FileUtils.mkdir_p("tree/\#{one}"); 20.times { |two| File.write("tree/\#{one}/\#{two}.rb", "") } }
      checker = watch([], "tree" => %w[rb])
      count = 0
      trap("USR1") { count += 1 }
      asked = Thread.new { Array.new(60) { checker.updated? }.tally }
      200.times { Process.kill("USR1", $$); sleep 0.001 }
      p asked.value
      Stopped = Class.new(StandardError)
      20.times do
        thread = Thread.new { loop { checker.updated? } }
        thread.report_on_exception = false
        sleep rand / 100
        thread.raise(Stopped)
        begin
          thread.value
        rescue Stopped
          nil
        end
      end
      p checker.updated?, count.positive?, known?(checker)
    RUBY
    assert_equal "{false=>60}\nfalse\ntrue\ntrue\n", result.out, result
  end

  def test_memory_and_collection
    result = run_upstream(UPSTREAMS.last, <<~RUBY)
      #{OURS} #{TREE}
      checker = watch(%w[routes.rb none], "app" => %w[rb erb], "app/views" => [])
      GC.stress = true
      2.times { checker.updated? }
      GC.stress = false
      GC.compact if GC.respond_to?(:compact)
      checker = watch([], "app" => %w[rb])
      size = -> { 3.times { GC.start }; File.read("/proc/self/statm").split[1].to_i }
      sizes = Array.new(3) do
        1000.times { watch([], "app" => %w[rb]).updated? }
        size.call
      end
      p checker.updated?, sizes.last - sizes[1] < 500
    RUBY
    assert_equal "false\ntrue\n", result.out, result
  end
end

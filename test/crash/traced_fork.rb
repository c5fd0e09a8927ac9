# frozen_string_literal: true

require "fiddle"
require "io/wait"
require "socket"
require "tempfile"
require_relative "../support/hang"

module Safety
  # Runs a block in a fork of this process under strace. The trace, and the counters of
  # strace's +inject+, begin with the block and not with the start of Ruby. The block reports
  # messages by sendto(2): the trace contains them, and no store uses that call.
  class TracedFork
    # +messages+: the reported lines; +status+: of the process; +trace+: the output of strace; +hung+:
    # whether the process was killed after the time limit.
    Outcome = Struct.new(:messages, :status, :trace, :hung, keyword_init: true)

    TIME_LIMIT = 10 # seconds; a process that is asleep then, and stays so, is in a deadlock

    def self.available?
      return @available if defined?(@available)

      @available = Process.respond_to?(:fork) && !system("strace", "-V", out: File::NULL, err: File::NULL).nil?
    end

    # @param options [Array<String>] for strace
    def initialize(options)
      @options = options
    end

    # @param prepare [Proc, nil] runs in the fork before the trace begins
    def call(prepare: nil, &block)
      Tempfile.create("frugal-trace") do |log|
        go_out, go_in = IO.pipe
        messages_out, messages_in = UNIXSocket.pair
        ready_out, ready_in = IO.pipe
        child = fork { run(block, prepare, go_out, go_in, messages_in, ready_in) }
        [go_out, messages_in, ready_in].each(&:close)
        ready_out.read
        tracer = attach(child, log.path)
        go_in.close
        hung = !finished?(child)
        status = $?
        Process.wait(tracer)
        messages = messages_out.read.lines(chomp: true)
        Outcome.new(messages: messages, status: status, trace: File.binread(log.path), hung: hung)
      end
    end

    private

    # Waits for the tracer by poll, a call that is not traced.
    def run(block, prepare, go_out, go_in, messages_in, ready_in)
      go_in.close
      GC.disable # a collection would close files at random points of the trace
      allow_tracing
      prepare&.call
      ready_in.close
      go_out.wait_readable
      block.call(->(line) { messages_in.send("#{line}\n", 0) })
    rescue Exception => e # rubocop:disable Lint/RescueException -- reported to the parent
      messages_in.send("crashed #{e.class}: #{e.message.inspect} #{e.backtrace&.first(3)}\n", 0)
    ensure
      exit!(0) # without the parent's at_exit blocks
    end

    # Yama allows only a parent to trace a process; strace is a sibling of this one.
    def allow_tracing
      int, long = Fiddle::TYPE_INT, Fiddle::TYPE_LONG
      Fiddle::Function.new(Fiddle::Handle::DEFAULT["prctl"], [int, long, long, long, long], int)
                      .call(0x59616d61, -1, 0, 0, 0) # PR_SET_PTRACER, PR_SET_PTRACER_ANY
    end

    def attach(child, log)
      @tracer_errors&.close
      @tracer_errors, errors_in = IO.pipe # stays open: strace may write again
      tracer = spawn("strace", "-f", "-y", *@options, "-o", log, "-p", child.to_s, err: errors_in)
      errors_in.close
      line = @tracer_errors.gets
      return tracer if line&.include?("attached")

      Process.kill(:KILL, child)
      raise "strace does not attach: #{line}#{@tracer_errors.read}"
    end

    def finished?(child)
      return true if ::Hang.wait_for(child, TIME_LIMIT, quiet: 5) { Process.wait(child, Process::WNOHANG) }

      Process.kill(:KILL, child)
      Process.wait(child)
      false
    end
  end
end

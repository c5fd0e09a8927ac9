# frozen_string_literal: true

require "fiddle"
require "io/wait"
require "socket"
require "tempfile"

module Safety
  # Runs a block in a fork of this process under strace, so that the trace, and
  # the counting of strace's +inject+, begins with the block and not with Ruby.
  # The block says lines; saying is a sendto(2), which the trace shows, too, and
  # which is no call of a store.
  class TracedFork
    # +said+: the lines; +status+: of the process; +trace+: of strace; +hung+:
    # whether it had to be ended.
    Outcome = Struct.new(:said, :status, :trace, :hung, keyword_init: true)

    PATIENCE = 10 # s; what is not over then is a deadlock

    def self.available?
      return @available if defined?(@available)

      @available = Process.respond_to?(:fork) && !system("strace", "-V", out: File::NULL, err: File::NULL).nil?
    end

    # @param options [Array<String>] of strace
    def initialize(options)
      @options = options
    end

    # @param prepare [Proc, nil] runs in the fork before it is traced
    def call(prepare: nil, &block)
      Tempfile.create("frugal-trace") do |log|
        go_out, go_in = IO.pipe
        said_out, said_in = UNIXSocket.pair
        ready_out, ready_in = IO.pipe
        child = fork { run(block, prepare, go_out, go_in, said_in, ready_in) }
        [go_out, said_in, ready_in].each(&:close)
        ready_out.read
        tracer = attach(child, log.path)
        go_in.close
        hung = !finished?(child)
        status = $?
        Process.wait(tracer)
        Outcome.new(said: said_out.read.lines(chomp: true), status: status, trace: File.binread(log.path), hung: hung)
      end
    end

    private

    # The wait for the tracer is a poll: no call that is counted.
    def run(block, prepare, go_out, go_in, said_in, ready_in)
      go_in.close
      GC.disable # it closes what others left open, whenever it comes
      allow_tracing
      prepare&.call
      ready_in.close
      go_out.wait_readable
      block.call(->(line) { said_in.send("#{line}\n", 0) })
    rescue Exception => e # rubocop:disable Lint/RescueException -- told to the parent
      said_in.send("crashed #{e.class}: #{e.message.inspect} #{e.backtrace&.first(3)}\n", 0)
    ensure
      exit!(0) # the parent's at_exit blocks are not ours to run
    end

    # strace is our sibling, not our parent, and Yama wants that said aloud.
    def allow_tracing
      long = Fiddle::TYPE_LONG
      Fiddle::Function.new(Fiddle::Handle::DEFAULT["prctl"], [Fiddle::TYPE_INT, long, long, long, long], Fiddle::TYPE_INT)
                      .call(0x59616d61, -1, 0, 0, 0) # PR_SET_PTRACER, PR_SET_PTRACER_ANY
    end

    def attach(child, log)
      @tracer_said&.close
      @tracer_said, said_in = IO.pipe # open until the end: strace may write again
      tracer = spawn("strace", "-f", "-y", *@options, "-o", log, "-p", child.to_s, err: said_in)
      said_in.close
      said = @tracer_said.gets
      return tracer if said&.include?("attached")

      Process.kill(:KILL, child)
      raise "strace does not attach: #{said}#{@tracer_said.read}"
    end

    def finished?(child)
      ended = now + PATIENCE
      until Process.wait(child, Process::WNOHANG)
        if now > ended
          Process.kill(:KILL, child)
          Process.wait(child)
          return false
        end
        sleep 0.001
      end
      true
    end

    def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  end
end

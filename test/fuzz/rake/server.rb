# frozen_string_literal: true

# A process that has loaded Rake, and runs cases in forked children:
#
#   ruby -w server.rb stock|dropin [mutant]
#
# It reads marshalled lists of cases from standard input, each list with the seed of a
# Shaker or nil, and writes lists of outcomes. The cases of a list share a child.
require "rake"
require "io/wait"
require "pathname"
require "stringio"
require_relative "case"
require_relative "journal"
require_relative "case_directory"
require_relative "snapshot"
require_relative "process_state"
require_relative "shaker"
require_relative "../../support/hang"

module RakeFuzz
  class Server
    # Seconds after which a child counts as hung, if it then uses no processor, or as many seconds of processor time.
    TIME_LIMIT = 4
    QUIET = 3
    # Seconds that the threads of a failed multitask get to finish.
    THREAD_LIMIT = 0.5

    def initialize(base)
      @directory = CaseDirectory.new(base)
      @input = $stdin.dup.binmode
      @output = ENV["FUZZ_ANSWERS"] ? File.open(ENV.delete("FUZZ_ANSWERS"), "wb") : $stdout.dup.binmode
      [@input, @output].each { |io| io.close_on_exec = true }
      $stdin.reopen(File::NULL)
      @state = ProcessState.new
    end

    def serve
      loop { answer(run_all(*Marshal.load(@input))) }
    rescue EOFError
      nil
    end

    def answer(message)
      @output.write(Marshal.dump(message))
      @output.flush
    end

    private

    # If the child dies, its cases run again, each in a child of its own.
    def run_all(cases, shaken)
      return [run(cases.first, shaken)] if cases.size == 1

      bytes = in_child { |writer| writer.write(Marshal.dump(cases.map { |kase| with_files(play(kase)) })) }
      outcomes = Marshal.load(bytes) unless bytes.empty?
      outcomes.is_a?(Array) ? outcomes : cases.map { |kase| run(kase) }
    end

    # The parent reads the tree, since the child may have redefined File.
    def run(kase, shaken = nil)
      bytes = in_child { |writer| writer.write(Marshal.dump(play(kase, shaken))) }
      with_files(bytes.empty? ? { died: @death } : Marshal.load(bytes))
    end

    def with_files(outcome)
      outcome.merge(stdout: IO.binread(@directory.stdout), stderr: IO.binread(@directory.stderr), tree: @directory.read)
    end

    def play(kase, shaken = nil)
      @directory.build(kase)
      Dir.chdir(@directory.root)
      STDOUT.reopen(@directory.stdout, "w")
      STDERR.reopen(@directory.stderr, "w")
      STDOUT.sync = STDERR.sync = true
      Fuzz.start
      Rake.application = application = Rake::Application.new
      Snapshot.of(application) { build(application, kase.argv.map(&:dup), shaken) }
    ensure
      @state.restore
    end

    def build(application, arguments, shaken)
      return application.run(arguments) unless shaken

      Shaker.new(shaken).shake { application.run(arguments) }
    ensure
      finish_threads(application)
    end

    # Rake does not wait for the other prerequisites of a multitask that failed. What they
    # have done at this moment is random, but not what they have done at their end.
    def finish_threads(application)
      deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + THREAD_LIMIT
      threads = application.instance_variable_get(:@thread_pool)&.instance_variable_get(:@threads).to_a
      sleep(0.001) while threads.any?(&:alive?) && Process.clock_gettime(Process::CLOCK_MONOTONIC) < deadline
    end

    # @return [String] what the child wrote; empty if it died or hung
    def in_child(&block)
      return in_process(&block) if RUBY_ENGINE == "jruby"

      reader, writer = IO.pipe(binmode: true)
      pid = fork { run_child(reader, writer, &block) }
      writer.close
      bytes = receive(reader, pid)
      Process.kill(:KILL, pid) unless bytes
      Process.wait(pid)
      @death = bytes ? $?.to_s.sub(/\d+/, "PID") : "hung"
      bytes.to_s
    ensure
      reader&.close
    end

    # JRuby has no fork.
    def in_process
      writer = StringIO.new("".b)
      yield writer
      writer.string
    rescue Exception => e # rubocop:disable Lint/RescueException -- an exit of the case must not end the server
      Marshal.dump({ died: "#{e.class}: #{e.message}" })
    end

    # The pipe is not buffered, so exit! loses nothing.
    def run_child(reader, writer)
      [reader, @input, @output].each(&:close)
      yield writer
    rescue StandardError => e
      writer.write(Marshal.dump({ died: "#{e.class}: #{e.message}" }))
    ensure
      exit!(0)
    end

    # @return [String, nil] all bytes of the child; nil if it hangs
    def receive(reader, pid)
      bytes = +""
      hang = Hang.new(pid, TIME_LIMIT, quiet: QUIET)
      loop do
        if reader.wait_readable(1) then bytes << reader.readpartial(1 << 20)
        elsif hang.found? then return
        end
      end
    rescue EOFError
      bytes
    end
  end
end

side, mutant, = ARGV
ARGV.clear
server = RakeFuzz::Server.new(Dir.pwd)
status = nil
if side == "dropin"
  require "frugal/rake"
  # So that prefetching starts with a single task; by default it takes more than these trees have.
  Frugal::Native.engine::RakeWalk.min_prefetch = 1 if Frugal::Native.engine_name == :c
  require_relative "mutants/#{mutant}" if mutant
  status = Frugal::Dropin.status.find { |entry| entry.name.to_sym == :rake }
  status = { state: status.state.to_s, reason: status.reason, engine: Frugal::Native.engine_name.to_s }
end
server.answer({ rake: Rake::VERSION, dropin: status })
server.serve

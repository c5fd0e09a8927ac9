# frozen_string_literal: true

# A preloaded Ruby that runs cases in forked children:
#
#   ruby -w server.rb stock|dropin [plant]
#
# It reads marshalled lists of cases from standard input (the cases of a list
# share a child), each with the seed of a Shaker or nil, and answers with lists of
# outcomes.
require "rake"
require "io/wait"
require "pathname"
require_relative "case"
require_relative "journal"
require_relative "world"
require_relative "snapshot"
require_relative "clean_slate"
require_relative "shaker"

module RakeFuzz
  class Server
    # Seconds after which a child counts as hung.
    PATIENCE = 4
    # Seconds that the threads of a failed multitask get to end what they do.
    SETTLING = 0.5

    def initialize(base)
      @world = World.new(base)
      @input = $stdin.dup.binmode
      @output = $stdout.dup.binmode
      [@input, @output].each { |io| io.close_on_exec = true }
      $stdin.reopen(File::NULL)
      @slate = CleanSlate.new
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

    # Where a child dies, its cases run again, each on its own.
    def run_all(cases, shaken)
      return [run(cases.first, shaken)] if cases.size == 1

      bytes = in_child { |writer| writer.write(Marshal.dump(cases.map { |kase| seen(play(kase)) })) }
      outcomes = Marshal.load(bytes) unless bytes.empty?
      outcomes.is_a?(Array) ? outcomes : cases.map { |kase| run(kase) }
    end

    # The parent looks at the tree: the child may have redefined File.
    def run(kase, shaken = nil)
      bytes = in_child { |writer| writer.write(Marshal.dump(play(kase, shaken))) }
      seen(bytes.empty? ? { died: @death } : Marshal.load(bytes))
    end

    def seen(outcome)
      outcome.merge(stdout: IO.binread(@world.stdout), stderr: IO.binread(@world.stderr), tree: @world.read)
    end

    def play(kase, shaken = nil)
      @world.build(kase)
      Dir.chdir(@world.root)
      STDOUT.reopen(@world.stdout, "w")
      STDERR.reopen(@world.stderr, "w")
      STDOUT.sync = STDERR.sync = true
      Fuzz.start
      Rake.application = application = Rake::Application.new
      Snapshot.of(application) { build(application, kase.argv.map(&:dup), shaken) }
    ensure
      @slate.restore
    end

    def build(application, arguments, shaken)
      return application.run(arguments) unless shaken

      Shaker.new(shaken).shake { application.run(arguments) }
    ensure
      settle(application)
    end

    # Rake does not wait for the other prerequisites of a multitask that failed: what
    # they have done by now is chance, and all that they do is not.
    def settle(application)
      deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + SETTLING
      threads = application.instance_variable_get(:@thread_pool)&.instance_variable_get(:@threads).to_a
      sleep(0.001) while threads.any?(&:alive?) && Process.clock_gettime(Process::CLOCK_MONOTONIC) < deadline
    end

    # @return [String] what the child wrote; empty where it died or hung
    def in_child
      reader, writer = IO.pipe(binmode: true)
      pid = fork do
        [reader, @input, @output].each(&:close)
        yield writer
        writer.close
      rescue StandardError => error
        writer.write(Marshal.dump({ died: "#{error.class}: #{error.message}" }))
        writer.close
      ensure
        exit!(0)
      end
      writer.close
      bytes = receive(reader)
      Process.kill(:KILL, pid) unless bytes
      Process.wait(pid)
      @death = bytes ? $?.to_s.sub(/\d+/, "PID") : "hung"
      bytes.to_s
    ensure
      reader.close
    end

    def receive(reader)
      bytes = +""
      deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + PATIENCE
      while (left = deadline - Process.clock_gettime(Process::CLOCK_MONOTONIC)) > 0 && reader.wait_readable(left)
        bytes << reader.readpartial(1 << 20)
      end
      nil
    rescue EOFError
      bytes
    end
  end
end

side, plant, = ARGV
ARGV.clear
server = RakeFuzz::Server.new(Dir.pwd)
status = nil
if side == "dropin"
  require "frugal/rake"
  # In a real tree only many tasks are asked for ahead.
  Frugal::Native.engine::RakeWalk.least_ahead = 1 if Frugal::Native.engine_name == :c
  require_relative "plants/#{plant}" if plant
  status = Frugal::Dropin.status.find { |entry| entry.name.to_sym == :rake }
  status = { state: status.state.to_s, reason: status.reason, engine: Frugal::Native.engine_name.to_s }
end
server.answer({ rake: Rake::VERSION, dropin: status })
server.serve

# frozen_string_literal: true

module Frugal
  class Compare
    # What one run took and left behind. Times are seconds; the outputs are
    # paths of temporary files.
    Sample = Struct.new(:wall, :cpu, :status, :stdout, :stderr, keyword_init: true) do
      # @return [String] how it ended, such as "exit status 1" or "killed by SIGTERM"
      def ending
        status.signaled? ? "killed by SIG#{Signal.signame(status.termsig)}" : "exit status #{status.exitstatus}"
      end

      # @return [void] removes its outputs
      def discard = File.unlink(stdout, stderr)
    end

    # Runs processes one after the other and measures each.
    #
    # The outputs go to files: a pipe can fill, and both sides must see the same
    # kind of thing. Standard input is empty, as it could be read only once.
    class Runner
      GRACE = 2 # seconds between asking a process group to end and ending it
      private_constant :GRACE

      # @param directory [String] for outputs
      # @param prepare [String, nil] a shell command that precedes each run, untimed
      def initialize(directory, prepare: nil)
        @directory = directory
        @prepare = prepare
        @runs = 0
      end

      # @param argv [Array<String>]
      # @param env [Hash{String => String}] added to our environment
      # @param limit [Float, nil] seconds after which it is ended
      # @return [Sample, nil] nil where it was
      # @raise [CommandError] when the command cannot be started
      # @raise [Error] when the preparation fails
      def run(argv, env: {}, limit: nil)
        prepare
        measure(argv, env, limit)
      end

      private

      def prepare
        return unless @prepare

        sample = measure(["/bin/sh", "-c", @prepare], {})
        return sample.discard if sample.status.success?

        said = File.readlines(sample.stderr, chomp: true).last
        raise Error, ["--prepare ended with #{sample.ending}: #{@prepare}", said].compact.join("\n")
      end

      # CPU is what our waited-for children gained: the child and every
      # descendant that it waited for, to the microsecond.
      def measure(argv, env, limit = nil)
        stdout, stderr = outputs
        before = children_cpu
        started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
        status = execute(argv, env, stdout, stderr, limit) or return
        wall = Process.clock_gettime(Process::CLOCK_MONOTONIC) - started
        Sample.new(wall: wall, cpu: children_cpu - before, status: status, stdout: stdout, stderr: stderr)
      end

      # A group of its own, so that an interrupt can end all of it at once.
      def execute(argv, env, stdout, stderr, limit)
        pid = Process.spawn(env, [argv.first, argv.first], *argv.drop(1),
                            in: File::NULL, out: stdout, err: stderr, pgroup: true)
        _, status = limit ? wait_until(pid, Process.clock_gettime(Process::CLOCK_MONOTONIC) + limit) : Process.wait2(pid)
        status
      rescue Errno::ENOENT, Errno::ENOTDIR
        raise CommandError.new("command not found: #{argv.first}", 127)
      rescue Errno::EACCES, Errno::ENOEXEC, Errno::EISDIR
        raise CommandError.new("command cannot be executed: #{argv.first}", 126)
      ensure
        end_group(pid) if pid && !status
      end

      # @return [Array, nil] nil where it still runs
      def wait_until(pid, deadline)
        until (ended = Process.wait2(pid, Process::WNOHANG))
          return if Process.clock_gettime(Process::CLOCK_MONOTONIC) > deadline

          sleep 0.01
        end
        ended
      end

      def end_group(pid)
        Process.kill(:TERM, -pid)
        deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + GRACE
        until Process.wait(pid, Process::WNOHANG) || Process.clock_gettime(Process::CLOCK_MONOTONIC) > deadline
          sleep 0.01
        end
        Process.kill(:KILL, -pid) # what ignored the first request, and its children
        Process.wait(pid)
      rescue Errno::ESRCH, Errno::ECHILD
        nil
      end

      def outputs
        @runs += 1
        %w[stdout stderr].map { |stream| File.join(@directory, "#{@runs}.#{stream}") }
      end

      def children_cpu
        times = Process.times
        times.cutime + times.cstime
      end
    end
  end
end

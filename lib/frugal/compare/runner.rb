# frozen_string_literal: true

require_relative "../command"

module Frugal
  class Compare
    # The measurements of one run. `wall` and `cpu` are seconds; `stdout` and `stderr`
    # are paths of temporary files.
    Sample = Struct.new(:wall, :cpu, :status, :stdout, :stderr, keyword_init: true) do
      # @return [String] how it ended, such as "exit status 1" or "killed by SIGTERM"
      def ending = Command.ending(status)

      # Removes the files with the output.
      #
      # @return [void]
      def discard = File.unlink(stdout, stderr)
    end

    # Runs commands one after the other and measures each.
    #
    # The output of a run goes to files: a pipe can fill up, and both sides must write
    # to the same kind of file. Standard input is empty, because only the first run
    # could read it.
    class Runner
      GRACE = 2 # seconds between SIGTERM and SIGKILL
      private_constant :GRACE

      # @param directory [String] for the files with the output
      # @param prepare [String, nil] a shell command to run before each run, untimed
      def initialize(directory, prepare: nil)
        @directory = directory
        @prepare = prepare
        @runs = 0
      end

      # @param argv [Array<String>]
      # @param env [Hash{String => String}] added to the environment of this process
      # @param limit [Float, nil] seconds after which the command is killed
      # @return [Sample, nil] nil if the command was killed
      # @raise [CommandError] if the command cannot be started
      # @raise [Error] if the preparation fails
      def run(argv, env: {}, limit: nil)
        prepare
        measure(argv, env, limit)
      end

      private

      def prepare
        return unless @prepare

        sample = measure(["/bin/sh", "-c", @prepare], {})
        return sample.discard if sample.status.success?

        message = File.readlines(sample.stderr, chomp: true).last
        raise Error, ["--prepare ended with #{sample.ending}: #{@prepare}", message].compact.join("\n")
      end

      def measure(argv, env, limit = nil)
        stdout, stderr = outputs
        status, wall, cpu = Command.timed { execute(argv, env, stdout, stderr, limit) }
        Sample.new(wall: wall, cpu: cpu, status: status, stdout: stdout, stderr: stderr) if status
      end

      # Starts the command in its own process group, so that an interrupt can end all its processes at once.
      def execute(argv, env, stdout, stderr, limit)
        pid = Command.start(argv, env, in: File::NULL, out: stdout, err: stderr, pgroup: true)
        _, status = limit ? wait_with_limit(pid, limit) : Process.wait2(pid)
        status
      ensure
        end_group(pid) if pid && !status
      end

      # @return [Array(Integer, Process::Status), nil] nil if the command still runs after `limit` seconds
      def wait_with_limit(pid, limit)
        deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + limit
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
        Process.kill(:KILL, -pid) # processes that ignored SIGTERM, and their children
        Process.wait(pid)
      rescue Errno::ESRCH, Errno::ECHILD
        nil
      end

      def outputs
        @runs += 1
        %w[stdout stderr].map { |stream| File.join(@directory, "#{@runs}.#{stream}") }
      end
    end
  end
end

# frozen_string_literal: true

require_relative "error"

module Frugal
  # Starts and times the commands that compare, profile and budget observe.
  #
  #   status, wall, cpu = Command.timed { Process.wait2(Command.start(%w[rake -s])).last }
  #   Command.ending(status)   # => "exit status 0"
  module Command
    class << self
      # @param argv [Array<String>] program and arguments; no shell reads them
      # @param env [Hash{String => String, nil}] added to the environment of this process
      # @param options [Hash] of Process.spawn
      # @return [Integer] the process id
      # @raise [CommandError] when the command cannot be started
      def start(argv, env = {}, **options)
        Process.spawn(env, [argv.first, argv.first], *argv.drop(1), **options)
      rescue Errno::ENOENT, Errno::ENOTDIR
        raise CommandError.new("command not found: #{argv.first}", 127)
      rescue Errno::EACCES, Errno::ENOEXEC, Errno::EISDIR
        raise CommandError.new("command cannot be executed: #{argv.first}", 126)
      end

      # @yieldreturn [Object] after the command has ended
      # @return [Array(Object, Float, Float)] the value of the block, the seconds that it took, and the processor time
      #   of the children that were waited for, including their own children
      def timed
        cpu = children_cpu
        started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
        value = yield
        [value, Process.clock_gettime(Process::CLOCK_MONOTONIC) - started, children_cpu - cpu]
      end

      # @param status [Process::Status]
      # @return [String] such as "exit status 1" or "killed by SIGTERM"
      def ending(status)
        status.signaled? ? "killed by SIG#{Signal.signame(status.termsig)}" : "exit status #{status.exitstatus}"
      end

      private

      def children_cpu
        times = Process.times
        times.cutime + times.cstime
      end
    end
  end
end

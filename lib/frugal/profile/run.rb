# frozen_string_literal: true

require "tmpdir"
require "fileutils"
require_relative "../error"
require_relative "../native"
require_relative "log"
require_relative "preload"
require_relative "recording"
require_relative "signals"

module Frugal
  module Profile
    # Runs a command with the recorder in all its processes and reads what they recorded.
    #
    #   recording = Frugal::Profile::Run.new(%w[rake -s]).call
    #   recording.counts[:stats] # => 90432
    #
    # The command has the standard input, output and error of this process, and its signals: an interrupt or a SIGTERM
    # that this process gets is passed on, unless the terminal sent it to both.
    #
    # *Cost*: about 0.5 µs and 64 bytes a call in the command's processes.
    class Run
      # Ruby frames that are kept of each call, and MiB that each process may write.
      DEPTH = 12
      LIMIT_MIB = 256

      # @param command [Array<String>] program and arguments, not passed through a shell
      # @param depth [Integer] 1–64
      # @param limit_mib [Integer] of the log of each process; what comes after is counted only
      # @param agent [Symbol, nil] +:route+ names the Rack route of each call ({Call}#group)
      # @param env [Hash{String => String, nil}] added to the environment of the command
      # @param spawn_options [Hash] as of `Process.spawn`: `in`, `out`, `err`, `chdir`
      def initialize(command, depth: DEPTH, limit_mib: LIMIT_MIB, agent: nil, env: {}, **spawn_options)
        raise UsageError, "depth: must be 1 to 64 (got #{depth})" unless (1..64).cover?(depth)
        raise UsageError, "limit: must be at least 1 MiB (got #{limit_mib})" unless limit_mib.positive?
        raise UsageError, "agent: must be :route or nil (got #{agent.inspect})" unless [nil, :route].include?(agent)

        @command = command
        @depth = depth
        @limit_mib = limit_mib
        @env = agent ? env.merge(agent_environment(env)) : env
        @spawn_options = spawn_options
      end

      # @return [Recording]
      # @raise [CommandError] when the command cannot be started
      # @raise [Error] where there is no recorder
      def call
        directory = Dir.mktmpdir("frugal-profile-")
        execute(self.class.environment(directory, depth: @depth, limit_mib: @limit_mib))
        read(directory)
      ensure
        discard(directory) if directory
      end

      # @param directory [String] where the processes write their logs
      # @return [Hash{String => String}] what a process needs in its environment to record itself
      # @raise [Error] where there is no recorder
      def self.environment(directory, depth: DEPTH, limit_mib: LIMIT_MIB)
        preload = [ENV.fetch("LD_PRELOAD", nil), Preload.path(library)].compact.reject(&:empty?).join(":")
        { "LD_PRELOAD" => preload, "FRUGAL_RECORDING" => "#{limit_mib << 20}:#{depth}:#{directory}" }
      end

      # @return [String] the path of the recorder
      # @raise [Error] where there is none, with the reason
      def self.library
        raise Error, "the recorder needs MRI on a 64-bit Linux; here, use `frugal compare`" unless supported?

        path = File.expand_path("../native/#{Native::ABI}/recorder.so", __dir__)
        return path if File.exist?(path)

        raise Error, "the recorder is not compiled: run bin/setup in a checkout, or install the gem again"
      end

      # @return [Boolean]
      def self.supported? = RUBY_ENGINE == "ruby" && RUBY_PLATFORM.match?(/(x86_64|aarch64).*linux/)

      private

      # Ruby splits RUBYOPT at white space, so a path with white space is passed in RUBYLIB.
      def agent_environment(env)
        lib = File.expand_path("../..", __dir__)
        spaces = lib.match?(/\s/)
        option = spaces ? "-rfrugal/profile/route_agent" : "-r#{lib}/frugal/profile/route_agent.rb"
        added = { "RUBYOPT" => [option, env["RUBYOPT"] || ENV.fetch("RUBYOPT", nil)].compact.join(" ") }
        spaces ? added.merge("RUBYLIB" => [lib, ENV.fetch("RUBYLIB", nil)].compact.join(":")) : added
      end

      def execute(recorder)
        cpu = children_cpu
        started = Process.clock_gettime(Process::CLOCK_MONOTONIC, :microsecond)
        @status = Signals.pass_on do |signals|
          signals.to(pid = start(@env.merge(recorder)))
          Process.wait2(pid).last
        end
        @wall_us = Process.clock_gettime(Process::CLOCK_MONOTONIC, :microsecond) - started
        @cpu_us = ((children_cpu - cpu) * 1_000_000).round
      end

      def start(env)
        Process.spawn(env, [@command.first, @command.first], *@command.drop(1), **@spawn_options)
      rescue Errno::ENOENT, Errno::ENOTDIR
        raise CommandError.new("command not found: #{@command.first}", 127)
      rescue Errno::EACCES, Errno::ENOEXEC, Errno::EISDIR
        raise CommandError.new("command cannot be executed: #{@command.first}", 126)
      end

      def read(directory)
        logs = Dir.children(directory).filter_map { |name| Log.load(File.join(directory, name)) }
        Recording.new(command: @command, status: @status, wall_us: @wall_us, cpu_us: @cpu_us,
                      processes: logs.map(&:process), calls: logs.flat_map(&:calls), raises: logs.flat_map(&:raises),
                      notes: Notes.of(logs, @limit_mib))
      end

      # Daemons go on running. Once the folder has another name, they create no more logs in it.
      def discard(directory)
        renamed = "#{directory}.ended"
        File.rename(directory, renamed)
        FileUtils.remove_entry(renamed)
      end

      def children_cpu
        times = Process.times
        times.cutime + times.cstime
      end
    end

    # What a recording does not have, in sentences.
    module Notes
      class << self
        # @param logs [Array<Log>]
        # @param limit_mib [Integer]
        # @return [Array<String>]
        def of(logs, limit_mib)
          return ["nothing was recorded: the command is statically linked, or the disk is full"] if logs.empty?

          logs.filter_map { |log| dropped(log.process, limit_mib) } + lost(logs)
        end

        private

        def dropped(process, limit_mib)
          return if process.dropped.zero?

          "process #{process.pid}: #{process.dropped} events are counted, but have no details: its log reached " \
            "#{limit_mib} MiB, or the disk is full (--limit)"
        end

        # Children that were forked and have no log.
        def lost(logs)
          known = logs.map { |log| log.process.pid }
          forked = logs.flat_map { |log| log.calls.select { |call| call.name == :fork && !call.failed? }.map(&:bytes) }
          missing = (forked - known).size
          return [] if missing.zero?

          ["#{missing} forked #{missing == 1 ? "process" : "processes"} could not create a log (other user, chroot, " \
           "or no free descriptor)"]
        end
      end
    end
  end
end

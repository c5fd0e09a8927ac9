# frozen_string_literal: true

require_relative "../command"
require_relative "../native"
require_relative "log_folder"
require_relative "preload"
require_relative "signals"

module Frugal
  module Profile
    # Runs a command with the recorder in all its processes, and reads their records.
    #
    #   recording = Frugal::Profile::Run.new(%w[rake -s]).call
    #   recording.counts[:stats] # => 90432
    #
    # The command has the standard input, output and error of this process, and gets its signals: this process passes an
    # interrupt or a SIGTERM on, unless the terminal sent it to both.
    #
    # *Cost*: about 0.5 µs and 64 bytes a call in the command's processes.
    class Run
      LIMIT_MIB = 256 # that each process may write
      # The agents, in the folder `agents`: each names the group of a call.
      AGENTS = %i[route example task].freeze
      private_constant :AGENTS

      # @param command [Array<String>] program and arguments, not passed through a shell
      # @param depth [Integer, nil] 1–64, the number of Ruby frames kept for each call; nil for {Recorders::DEPTHS}
      # @param limit_mib [Integer] the size of each process's log; further events are only counted
      # @param agent [Symbol, nil] names the group of each call ({Call}#group): +:route+, the Rack route; +:example+,
      #   the file of the example (RSpec) or test (minitest); +:task+, the task of Rake, see {Recording#undeclared}
      # @param recorder [Symbol, nil] +:native+, +:ruby+, or nil for the native one or, if that cannot run, the one in
      #   Ruby
      # @param env [Hash{String => String, nil}] added to the environment of the command
      # @param spawn_options [Hash] as in `Process.spawn`: `in`, `out`, `err`, `chdir`
      def initialize(command, depth: nil, limit_mib: LIMIT_MIB, agent: nil, recorder: nil, env: {}, **spawn_options)
        raise UsageError, "depth: must be 1 to 64 (got #{depth})" unless depth.nil? || (1..64).cover?(depth)
        raise UsageError, "limit: must be at least 1 MiB (got #{limit_mib})" unless limit_mib.positive?
        raise UsageError, "agent: must be #{AGENTS.map(&:inspect).join(", ")} or nil (got #{agent.inspect})" \
          unless agent.nil? || AGENTS.include?(agent)

        @command = command
        @depth = depth
        @limit_mib = limit_mib
        @agent = agent
        @recorder = recorder
        @env = env
        @spawn_options = spawn_options
      end

      # @return [Recording]
      # @raise [CommandError] if the command cannot be started
      # @raise [Error] if the native recorder is requested and cannot run
      def call
        LogFolder.open(depth: @depth, limit_mib: @limit_mib, recorder: @recorder, env: @env) do |folder|
          folder.add_agent(@agent) if @agent
          execute(folder.environment)
          folder.recording(@command, status: @status, wall_us: @wall_us, cpu_us: @cpu_us)
        end
      end

      # @param directory [String] where the processes write their logs
      # @return [Hash{String => String}] the environment with which a process records itself
      # @raise [Error] if there is no native recorder
      def self.environment(directory, depth: Recorders::DEPTHS[:native], limit_mib: LIMIT_MIB)
        preload = [ENV.fetch("LD_PRELOAD", nil), Preload.path(library)].compact.reject(&:empty?).join(":")
        { "LD_PRELOAD" => preload, "FRUGAL_RECORDING" => "#{limit_mib << 20}:#{depth}:#{directory}" }
      end

      # @return [String] the path of the native recorder
      # @raise [Error] if there is none, with the reason
      def self.library
        reason = unavailable or return path
        raise Error, reason
      end

      # @return [String, nil] why there is no native recorder; nil if there is one
      def self.unavailable
        return "the native recorder needs MRI on a 64-bit Linux" unless supported?

        return if File.exist?(path)

        "the native recorder is not compiled: run bin/setup in a checkout, or install the gem again"
      end

      def self.path = File.expand_path("../native/#{Platform::ABI}/recorder.so", __dir__)
      private_class_method :path

      # @return [Boolean] whether the native recorder supports this Ruby and this system
      def self.supported? = Platform::MRI && Platform::SYSTEM.match?(/(x86_64|aarch64).*linux/)

      private

      def execute(recorder)
        @status, *times = Command.timed do
          Signals.pass_on do |signals|
            signals.to(pid = Command.start(@command, @env.merge(recorder), **@spawn_options))
            Process.wait2(pid).last
          end
        end
        @wall_us, @cpu_us = times.map { |seconds| (seconds * 1_000_000).round }
      end
    end
  end
end

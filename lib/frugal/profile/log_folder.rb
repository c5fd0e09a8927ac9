# frozen_string_literal: true

require "tmpdir"
require "fileutils"
require_relative "agents"
require_relative "log"
require_relative "notes"
require_relative "recorders"
require_relative "recording"

module Frugal
  module Profile
    # The folder in which the processes of one run write their logs.
    #
    #   LogFolder.open do |folder|
    #     system(folder.environment, "rake", "-s")
    #     folder.recording(%w[rake -s]).counts[:stats]   # => 90432
    #   end
    class LogFolder
      # @param options [Hash] `depth`, `limit_mib`, `recorder` and `env` of {Run#initialize}
      # @yieldparam folder [LogFolder] which is removed afterwards
      # @return [Object] the value of the block
      # @raise [Error] if the native recorder is requested and cannot run
      def self.open(**options)
        folder = new(**options)
        yield folder
      ensure
        folder&.discard
      end

      # @return [Hash{String => String}] the environment with which a command records itself
      attr_reader :environment

      def initialize(limit_mib: Run::LIMIT_MIB, depth: nil, recorder: nil, env: {})
        @limit_mib = limit_mib
        @recorder = Recorders.choose(recorder)
        @path = Dir.mktmpdir("frugal-profile-")
        @environment = Recorders.environment(@recorder, @path, limit_mib: limit_mib, depth: depth, given: env)
      rescue Error
        discard if @path
        raise
      end

      # Adds an agent, which each recorded Ruby loads as its program begins.
      #
      # @param name [Symbol] +:route+, +:example+ or +:task+
      # @return [void]
      def add_agent(name) = Agents.write(@path, name)

      # Returns the events recorded up to now.
      #
      # @param command [Array<String>]
      # @param run [Hash] `status`, `wall_us` and `cpu_us` of the {Recording}
      # @return [Recording]
      def recording(command, **run)
        logs = (Dir.children(@path) - [Agents::FILE]).filter_map { |name| Log.load(File.join(@path, name)) }
        Recording.new(command: command, processes: logs.map(&:process), calls: logs.flat_map(&:calls),
                      raises: logs.flat_map(&:raises), notes: Notes.of(logs, @limit_mib, @recorder),
                      recorder: @recorder, waits: waits?(logs),
                      runs: logs.map(&:runs).reduce({}) { |all, one| all.merge(one) { |_, a, b| a + b } },
                      declarations: declarations(logs), **run)
      end

      # Removes the folder. It is renamed first, since daemons go on running and could create further logs in it.
      #
      # @return [void]
      def discard
        renamed = "#{@path}.ended"
        File.rename(@path, renamed)
        FileUtils.remove_entry(renamed)
      end

      private

      # A recorder does not see that a Ractor waits for another one.
      def waits?(logs) = @recorder == :native && logs.none? { |log| log.unseen_waits? || log.ractors? }

      def declarations(logs)
        logs.to_h { |log| [log.process, log.declarations] }.reject { |_, declarations| declarations.empty? }
      end
    end
  end
end

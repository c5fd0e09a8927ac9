# frozen_string_literal: true

require "tmpdir"
require "fileutils"
require_relative "log"
require_relative "notes"
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
      # @param options [Hash] those of {Run.environment}
      # @yieldparam folder [LogFolder] which is removed afterwards
      # @return [Object] the value of the block
      # @raise [Error] where there is no recorder
      def self.open(**options)
        folder = new(**options)
        yield folder
      ensure
        folder&.discard
      end

      # @return [Hash{String => String}] what a command needs in its environment to record itself
      attr_reader :environment

      def initialize(limit_mib: Run::LIMIT_MIB, **options)
        @limit_mib = limit_mib
        @path = Dir.mktmpdir("frugal-profile-")
        @environment = Run.environment(@path, limit_mib: limit_mib, **options)
      rescue Error
        discard
        raise
      end

      # What was recorded up to now.
      #
      # @param command [Array<String>]
      # @param run [Hash] `status`, `wall_us` and `cpu_us` of the {Recording}
      # @return [Recording]
      def recording(command, **run)
        logs = Dir.children(@path).filter_map { |name| load(File.join(@path, name)) }
        Recording.new(command: command, processes: logs.map(&:process), calls: logs.flat_map(&:calls),
                      raises: logs.flat_map(&:raises), notes: Notes.of(logs, @limit_mib),
                      runs: logs.map(&:runs).reduce({}) { |all, one| all.merge(one) { |_, a, b| a + b } }, **run)
      end

      # Daemons go on running. Once the folder has another name, they create no more logs in it.
      #
      # @return [void]
      def discard
        renamed = "#{@path}.ended"
        File.rename(@path, renamed)
        FileUtils.remove_entry(renamed)
      end

      private

      # The file is as large as the limit, but for the most part it is a hole.
      def load(file)
        used = File.binread(file, 8, 40)&.unpack1("Q") or return
        bytes = File.binread(file, used)
        Log.new(bytes) if bytes && Log.valid?(bytes)
      end
    end
  end
end

# frozen_string_literal: true

require "etc"

module Frugal
  module Bench
    # Describes the machine on which a measurement was made, without the name of the host.
    module Machine
      class << self
        # @param folder [String] the folder of the trees
        # @return [Hash{Symbol => String}]
        def describe(folder)
          { cpu: "#{Etc.nprocessors} × #{cpu}", kernel: Etc.uname.values_at(:sysname, :release, :machine).join(" "),
            ruby: RUBY_DESCRIPTION, file_system: file_system(File.realpath(folder)),
            engine: Native.engine::NAME, frugal: VERSION }
        end

        # @return [String] part of a file name, such as "x86_64-linux-2cpu"
        def slug = "#{Etc.uname[:machine]}-#{Etc.uname[:sysname].downcase}-#{Etc.nprocessors}cpu"

        # @return [Float, nil] the load of the last minute; nil on systems without /proc/loadavg
        def load = (File.read("/proc/loadavg").to_f if File.exist?("/proc/loadavg"))

        private

        def cpu
          return Etc.uname[:machine] unless File.exist?("/proc/cpuinfo")

          File.foreach("/proc/cpuinfo") { |line| line[/\Amodel name\s*:\s*(.+)/, 1]&.then { |name| return name } }
          Etc.uname[:machine]
        end

        # The file system of the folder: that of the longest mount point that the folder begins with.
        def file_system(folder)
          return "unknown" unless File.exist?("/proc/mounts")

          mounts = File.readlines("/proc/mounts").map(&:split)
          holding = mounts.select { |_, point| point == "/" || "#{folder}/".start_with?("#{point}/") }
          holding.max_by { |_, point| point.size }&.at(2) || "unknown"
        end
      end
    end
  end
end

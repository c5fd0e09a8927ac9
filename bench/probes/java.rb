# frozen_string_literal: true

require_relative "../support/jruby"
require_relative "../support/worker_process"

module Frugal
  module ProbesBench
    # A JVM that runs Ask.java: what Java's own methods cost.
    class Java
      SOURCE = File.join(__dir__, "Ask.java")
      LABELS = ["Java, File", "Java, Files"].freeze

      # @param paths (see Asking#initialize)
      # @param scratch [String] a folder
      def initialize(paths, scratch)
        @lists = paths.to_h do |cell, names|
          file = File.join(scratch, "#{cell.join("-")}.paths")
          File.write(file, names.join("\n"))
          [cell, [file, cell.last == :present ? names.size : 0, names.size]]
        end
        @pipe = IO.popen([Bench::JRuby.java, SOURCE], "r+", err: File.join(scratch, "java.errors"))
      end

      # (see Asking#time)
      # @raise [Bench::Died]
      def time(question, presence, depth, label)
        list, expected, size = @lists.fetch([question, presence])
        @pipe.puts([question, depth, label[/\w+\z/], list].join("\t"))
        found, nanoseconds = @pipe.gets.to_s.split
        raise Bench::Died, "the JVM of #{SOURCE} ended" unless nanoseconds
        return Integer(nanoseconds) / 1e9 / size if Integer(found) == expected

        raise Error, "#{label}, #{question}, #{presence}: found #{found} instead of #{expected}"
      rescue Errno::EPIPE
        raise Bench::Died, "the JVM of #{SOURCE} ended"
      end

      # @return [void]
      def stop = @pipe.close
    end
  end
end

# frozen_string_literal: true

require "open3"
require_relative "../support/worker_process"

module Frugal
  module LinksBench
    # A JVM that runs Lister.java. It lives as long as the benchmark.
    class Java
      SOURCE = File.join(__dir__, "Lister.java")

      class << self
        # @yieldparam reason [String] why Java cannot be used
        # @return [Java, nil] nil if Java cannot be used
        def start
          version, status = Open3.capture2e("java", "-version")
          java = new(version.lines.first.to_s.chomp) if status.success?
          return java if java&.list(__dir__)

          yield "java does not start: #{version.lines.first}"
        rescue Errno::ENOENT
          yield("java is not installed (a JDK, 11 or newer)").then { nil }
        rescue Bench::Died
          java.stop
          yield("a JDK, 11 or newer, is needed to run a source file").then { nil }
        end
      end

      # @return [String]
      attr_reader :version

      # @param version [String] the first line of `java -version`
      def initialize(version)
        @version = version
        @pipe = IO.popen(["java", SOURCE], "r+", err: File::NULL)
      end

      # @param way [String] "walk", "files" or "fork", see Lister.java
      # @return [Array(Float, Integer)] seconds, paths below the root
      # @raise [Bench::Died]
      def list(root, way = "walk")
        @pipe.puts("#{way}\t#{root}")
        answer = @pipe.gets&.chomp or raise Bench::Died, "the JVM ended"
        paths, nanoseconds = answer.split
        nanoseconds or raise Bench::Died, answer
        [Integer(nanoseconds) / 1e9, Integer(paths)]
      rescue Errno::EPIPE
        raise Bench::Died, "the JVM ended"
      end

      # @return [void]
      def stop = @pipe.close
    end
  end
end

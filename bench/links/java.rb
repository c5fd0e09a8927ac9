# frozen_string_literal: true

require "open3"

module Frugal
  module LinksBench
    # A rival failed. The message is the reason, such as the name of an exception.
    class Died < StandardError; end

    # A JVM that runs Walk.java. It lives as long as the benchmark.
    class Java
      SOURCE = File.join(__dir__, "Walk.java")

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
        rescue Died
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

      # @return [Array(Float, Integer)] seconds, paths below the root
      # @raise [Died]
      def list(root)
        @pipe.puts(root)
        answer = @pipe.gets&.chomp or raise Died, "the JVM ended"
        paths, nanoseconds = answer.split
        nanoseconds or raise Died, answer
        [Integer(nanoseconds) / 1e9, Integer(paths)]
      rescue Errno::EPIPE
        raise Died, "the JVM ended"
      end

      # @return [void]
      def stop = @pipe.close
    end
  end
end

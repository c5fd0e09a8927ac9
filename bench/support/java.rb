# frozen_string_literal: true

require_relative "worker_process"

module Frugal
  module Bench
    # A JVM that runs one source file (Java 11 or newer). It lives as long as the benchmark, and answers each line of
    # words with a number and nanoseconds.
    class Java
      # @param command [String] java
      # @param source [String]
      # @param errors [String] a file for its standard error
      def initialize(command, source, errors = File::NULL)
        @source = source
        @pipe = IO.popen([command, source], "r+", err: errors)
      end

      # @return [Array(Float, Integer)] seconds, and the number
      # @raise [Died] with its answer, if that is not two numbers
      def ask(*words)
        @pipe.puts(words.join("\t"))
        answer = @pipe.gets&.chomp or raise Died, "the JVM ended"
        number, nanoseconds = answer.split
        raise Died, answer unless nanoseconds&.match?(/\A\d+\z/)

        [Integer(nanoseconds) / 1e9, Integer(number)]
      rescue Errno::EPIPE
        raise Died, "the JVM ended"
      end

      # @return [void]
      def stop = @pipe.close
    end
  end
end

# frozen_string_literal: true

require_relative "java"
require_relative "../support/jruby"
require_relative "../support/worker_process"

module Frugal
  module ProbesBench
    # Asks the same questions under JRuby, and in Java, each in a JVM that lives as long as the benchmark.
    class JRubyAsking
      LABELS = [*IDIOMS.map { |idiom| idiom::LABEL }, *Java::LABELS].freeze

      # @return [String] the name of frugal's engine in it
      attr_reader :engine

      # @param paths (see Asking#initialize)
      # @param scratch [String] a folder
      def initialize(paths, scratch)
        @worker = Bench::WorkerProcess.new([Bench::JRuby::COMMAND, "--disable=gems", File.join(__dir__, "worker.rb")],
                                           errors: File.join(scratch, "jruby.errors"))
        @java = Java.new(paths, scratch)
        @engine = @worker.call(:prepare, paths)
      end

      # (see Asking#time)
      # @raise [Bench::Died]
      def time(question, presence, depth, label)
        return @java.time(question, presence, depth, label) if Java::LABELS.include?(label)

        @worker.call(:time, question, presence, depth, label)
      end

      # @return [void]
      def stop = [@worker, @java].each(&:stop)
    end
  end
end

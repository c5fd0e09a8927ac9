# frozen_string_literal: true

require_relative "idioms"
require_relative "../support/java"
require_relative "../support/jruby"
require_relative "../support/worker_process"

module Frugal
  module ProbesBench
    # Asks the same questions under JRuby, and in Java, each in a JVM that lives as long as the benchmark.
    class JRubyAsking
      JAVA = ["Java, File", "Java, Files"].freeze # what Java's own methods cost, see Ask.java
      LABELS = [*IDIOMS.map { |idiom| idiom::LABEL }, *JAVA].freeze

      # @return [String] the name of frugal's engine in it
      attr_reader :engine

      # @param paths (see Asking#initialize)
      # @param scratch [String] a folder
      def initialize(paths, scratch)
        @worker = Bench::WorkerProcess.new([Bench::JRuby::COMMAND, "--disable=gems", File.join(__dir__, "worker.rb")],
                                           errors: File.join(scratch, "jruby.errors"))
        @java = Bench::Java.new(Bench::JRuby.java, File.join(__dir__, "Ask.java"), File.join(scratch, "java.errors"))
        @sizes = paths.transform_values(&:size)
        @lists = paths.to_h do |cell, names|
          [cell, File.join(scratch, "#{cell.join("-")}.paths").tap { |file| File.write(file, names.join("\n")) }]
        end
        @engine = @worker.call(:prepare, paths)
      end

      # (see Asking#time)
      # @raise [Bench::Died]
      def time(question, presence, depth, label)
        return @worker.call(:time, question, presence, depth, label) unless JAVA.include?(label)

        size = @sizes.fetch([question, presence])
        seconds, found = @java.ask(question, depth, label[/\w+\z/], @lists.fetch([question, presence]))
        expected = presence == :present ? size : 0
        return seconds / size if found == expected

        raise Error, "#{label}, #{question}, #{presence}: found #{found} instead of #{expected}"
      end

      # @return [void]
      def stop = [@worker, @java].each(&:stop)
    end
  end
end

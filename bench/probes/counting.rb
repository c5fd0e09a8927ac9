# frozen_string_literal: true

require "open3"
require "rbconfig"
require_relative "idioms"
require_relative "../support/cost"
require_relative "../support/jruby"
require_relative "../support/marked_trace"
require_relative "../support/system_calls"

module Frugal
  module ProbesBench
    # Asks all questions in a separate process (counting_worker.rb), under strace if it is
    # installed. A mark in the trace before each group of questions names the group.
    class Counting
      SCRIPT = File.join(__dir__, "counting_worker.rb")
      # The JVM reads the limits of its container now and then, between the calls that are counted.
      NO_CGROUPS = { "JAVA_OPTS" => "-XX:-UseContainerSupport" }.freeze

      # @param tree [Tree]
      # @param scratch [String] a folder
      # @param questions [Integer] the number of questions of each kind
      # @param ruby [String] the command that asks
      def initialize(tree, scratch, questions, ruby)
        @tree = tree
        @trace = Bench::MarkedTrace.new(File.join(scratch, "strace"), calls: [*Bench::MarkedTrace::FILE_CALLS, "getpid"])
        @questions = questions
        # RbConfig.ruby of JRuby is not a file where JRuby is only its jars.
        @ruby = RUBY_ENGINE == "jruby" ? Bench::JRuby::COMMAND : ruby
        @reason = Bench::SystemCalls.unavailable(scratch)
      end

      # @return [String, nil] why system calls are not counted
      attr_reader :reason

      # @return [Hash{Array(Symbol, Symbol, String) => Bench::Cost}] by question, presence, idiom
      # @raise [Error]
      def costs
        exceptions = run_worker
        calls = reason ? {} : @trace.counts
        exceptions.to_h do |key, raised|
          question, presence, idiom = key.split("/")
          counts = calls.fetch(key, {}) unless reason
          [[question.to_sym, presence.to_sym, idiom], Bench::Cost.per_operation(counts, raised, @questions)]
        end
      end

      private

      # @return [Hash{String => Integer}] question, presence and idiom → number of exceptions
      def run_worker
        # In a JVM, Ruby is not the first thread.
        strace = @trace.prefix(follow: @ruby == Bench::JRuby::COMMAND) unless reason
        out, status = Open3.capture2(NO_CGROUPS, *strace, @ruby, "--disable=gems", SCRIPT, stdin_data: input)
        status.success? or raise Error, "counting failed: #{status}"
        out.each_line(chomp: true).to_h { |line| line.split("\t").then { |key, raised| [key, Integer(raised)] } }
      end

      def input
        QUESTIONS.keys.product(PRESENCE).map do |question, presence|
          ["#{question}/#{presence}", *@tree.paths(question, presence).first(@questions)].join("\t") << "\n"
        end.join
      end
    end
  end
end

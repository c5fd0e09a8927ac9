# frozen_string_literal: true

require "open3"
require "rbconfig"
require_relative "idioms"
require_relative "../support/marked_calls"

module Frugal
  module ProbesBench
    # Asks all questions in a process of its own (ask.rb), under strace where
    # there is one. A mark before each says what comes next.
    class Counting
      SCRIPT = File.join(__dir__, "ask.rb")

      # @param tree [Tree]
      # @param scratch [String] a folder
      # @param questions [Integer] how many of each kind
      def initialize(tree, scratch, questions)
        @tree = tree
        @calls = Bench::MarkedCalls.new(File.join(scratch, "strace"))
        @questions = questions
        @reason = Compare::SystemCalls.unavailable(scratch)
      end

      # @return [String, nil] why system calls are not counted
      attr_reader :reason

      # @return [Hash{Array(Symbol, Symbol, String) => Bench::Bill}] by question, presence, idiom
      # @raise [Error]
      def bills
        exceptions = ask
        calls = reason ? {} : @calls.by_mark
        exceptions.to_h do |key, raised|
          question, presence, idiom = key.split("/")
          [[question.to_sym, presence.to_sym, idiom], Bench::Bill.of_each((calls[key] unless reason), raised, @questions)]
        end
      end

      private

      # @return [Hash{String => Integer}] exceptions
      def ask
        out, status = Open3.capture2(*(@calls.prefix unless reason), RbConfig.ruby, "--disable=gems", SCRIPT, stdin_data: names)
        status.success? or raise Error, "counting failed: #{status}"
        out.each_line(chomp: true).to_h { |line| line.split("\t").then { |key, raised| [key, Integer(raised)] } }
      end

      def names
        QUESTIONS.keys.product(PRESENCE).map do |question, presence|
          ["#{question}/#{presence}", *@tree.paths(question, presence).first(@questions)].join("\t") << "\n"
        end.join
      end
    end
  end
end

# frozen_string_literal: true

require "open3"
require "rbconfig"
require_relative "idioms"
require_relative "../../lib/frugal/compare"

module Frugal
  module ProbesBench
    # What one question costs, counted: its system calls on files, and the
    # exceptions raised. Exact, so the same in each run.
    Bill = Struct.new(:calls, :exceptions) do
      # @return [String] such as "open getdents×2 close"
      def names = calls.map { |name, count| count == 1 ? name : "#{name}×#{Compare::Units.count(count)}" }.join(" ")

      # @return [Numeric, nil] system calls; nil where strace was not there to count
      def total = calls&.values&.sum
    end

    # Asks all questions in a process of its own (ask.rb), under strace where
    # there is one. Between two questions it looks for a file that is not there,
    # whose name says what comes next.
    class Counting
      SCRIPT = File.join(__dir__, "ask.rb")
      # With a question mark, strace leaves out what this architecture has not.
      KINDS = %w[
        access close faccessat faccessat2 fcntl fstat fstatfs getdents getdents64 ioctl lseek lstat newfstatat open openat openat2
        pread64 read readlink readlinkat stat statfs statx
      ].map { |name| "?#{name}" }.join(",")
      MARK = %r{"/frugal-bench/([\w/ -]+)"}
      CALL = /\A(\w+)\(/

      # @param tree [Tree]
      # @param scratch [String] a folder
      # @param questions [Integer] how many of each kind
      def initialize(tree, scratch, questions)
        @tree = tree
        @log = File.join(scratch, "strace")
        @questions = questions
        @reason = Compare::SystemCalls.unavailable(scratch)
      end

      # @return [String, nil] why system calls are not counted
      attr_reader :reason

      # @return [Hash{Array(Symbol, Symbol, String) => Bill}] by question, presence, idiom
      # @raise [Error]
      def bills
        exceptions = ask
        calls = reason ? {} : traced
        exceptions.to_h do |key, raised|
          question, presence, idiom = key.split("/")
          [[question.to_sym, presence.to_sym, idiom], Bill.new(calls[key]&.transform_values { |count| each(count) }, each(raised))]
        end
      end

      private

      # @return [Hash{String => Integer}] exceptions
      def ask
        prefix = reason ? [] : ["strace", "-qq", "-e", "trace=#{KINDS}", "-e", "signal=none", "-o", @log, "--"]
        out, status = Open3.capture2(*prefix, RbConfig.ruby, "--disable=gems", SCRIPT, stdin_data: names)
        status.success? or raise Error, "counting failed: #{status}"
        out.each_line(chomp: true).to_h { |line| line.split("\t").then { |key, raised| [key, Integer(raised)] } }
      end

      def names
        QUESTIONS.keys.product(PRESENCE).map do |question, presence|
          ["#{question}/#{presence}", *@tree.paths(question, presence).first(@questions)].join("\t") << "\n"
        end.join
      end

      # @return [Hash{String => Hash{String => Integer}}] marker → name of the call → how often
      def traced
        calls = Hash.new { |hash, key| hash[key] = Hash.new(0) }
        key = nil
        File.foreach(@log, encoding: Encoding::BINARY) do |line|
          mark = line[MARK, 1]
          next key = (mark unless mark == "end") if mark

          name = line[CALL, 1]
          calls[key.dup.force_encoding("UTF-8")][plain(name, line)] += 1 if key && name
        end
        calls
      end

      def plain(name, line)
        case name
        when "newfstatat", "statx" then line.include?("AT_EMPTY_PATH") ? "fstat" : "stat"
        when "openat", "openat2" then "open"
        else name.delete_suffix("64")
        end
      end

      def each(count) = (count % @questions).zero? ? count / @questions : count.fdiv(@questions).round(2)
    end
  end
end

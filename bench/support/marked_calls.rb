# frozen_string_literal: true

require_relative "../../lib/frugal/compare"

module Frugal
  module Bench
    # What one question costs, counted: its system calls on files, and the
    # exceptions raised. Exact, so the same in each run.
    Bill = Struct.new(:calls, :exceptions) do
      # @param calls [Hash{String => Integer}, nil] of all questions
      # @param exceptions [Integer, nil] of all
      # @param questions [Integer]
      # @return [Bill] of one
      def self.of_each(calls, exceptions, questions)
        one = ->(count) { (count % questions).zero? ? count / questions : count.fdiv(questions).round(2) }
        new(calls&.transform_values(&one), exceptions&.then(&one))
      end

      # @return [String] such as "open getdents×2 close"
      def names = calls.map { |name, count| count == 1 ? name : "#{name}×#{Compare::Units.count(count)}" }.join(" ")

      # @return [Numeric, nil] system calls; nil where strace was not there to count
      def total = calls&.values&.sum
    end

    # The system calls of a process under strace, from mark to mark. The process
    # makes a mark by looking for a file that is not there:
    #
    #   File.exist?(MarkedCalls.mark("changed"))
    #   100.times { … }
    #   File.exist?(MarkedCalls.mark("end"))
    #
    # and once it has ended, its parent reads:
    #
    #   calls = MarkedCalls.new("scratch/strace")
    #   system(*calls.prefix, "ruby", "script.rb")
    #   calls.by_mark    # => {"changed" => {"flock" => 200, "stat" => 100}}
    class MarkedCalls
      # With a question mark, strace leaves out what this architecture has not.
      KINDS = %w[
        access close faccessat faccessat2 fallocate fchmod fchmodat fchown fcntl fdatasync flock fstat fstatfs fsync ftruncate
        getdents getdents64 getpid ioctl link linkat lseek lstat newfstatat open openat openat2 pread64 pwrite64 pwritev read
        readlink readlinkat rename renameat renameat2 stat statfs statx unlink unlinkat write writev
      ].map { |name| "?#{name}" }.join(",")
      MARK = %r{"/frugal-bench/([\w/ -]+)"}
      CALL = /\A(\w+)\(/
      END_MARK = "end"
      private_constant :MARK, :CALL

      # @param name [String] letters, digits, blanks, hyphens and slashes
      # @return [String] a path
      def self.mark(name) = "/frugal-bench/#{name}"

      # @param log [String] where strace writes
      def initialize(log)
        @log = log
      end

      # @return [Array<String>] what to put before the command
      def prefix = ["strace", "-qq", "-e", "trace=#{KINDS}", "-e", "signal=none", "-o", @log, "--"]

      # @return [Hash{String => Hash{String => Integer}}] mark → name of the call → how often
      def by_mark
        calls = Hash.new { |hash, key| hash[key] = Hash.new(0) }
        key = nil
        File.foreach(@log, encoding: Encoding::BINARY) do |line|
          mark = line[MARK, 1]
          next key = (mark unless mark == END_MARK) if mark

          name = line[CALL, 1]
          calls[key.dup.force_encoding("UTF-8")][plain(name, line)] += 1 if key && name
        end
        calls
      end

      private

      def plain(name, line)
        case name
        when "newfstatat", "statx" then line.include?("AT_EMPTY_PATH") ? "fstat" : "stat"
        when "openat", "openat2" then "open"
        else name.delete_suffix("64")
        end
      end
    end
  end
end

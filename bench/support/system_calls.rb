# frozen_string_literal: true

module Frugal
  module Bench
    # The system calls of one run and all its children, by kind, as
    # `strace -f -c` counts them.
    #
    #   calls = SystemCalls.parse(File.read("strace.txt"))
    #   calls.total                  # => 451_154
    #   calls["newfstatat"].calls    # => 400_020
    class SystemCalls
      Kind = Struct.new(:calls, :errors)
      ROW = /\A\s*[\d.]+\s+[\d.]+\s+\d+\s+(?<calls>\d+)\s+(?:(?<errors>\d+)\s+)?(?<name>\w+)\s*\z/
      NONE = Kind.new(0, 0).freeze
      private_constant :ROW

      class << self
        # Tries to trace the program `true`: strace may be missing, and ptrace may be
        # forbidden (containers, Yama).
        #
        # @param directory [String] a folder for the error output of strace
        # @return [String, nil] why system calls cannot be counted; nil if they can
        def unavailable(directory)
          errors = File.join(directory, "strace-errors")
          return if system(*prefix(File::NULL), "true", in: File::NULL, out: File::NULL, err: errors)
          return "strace is not installed" unless File.exist?(errors) && File.size?(errors)

          "strace cannot trace here: #{File.foreach(errors, chomp: true).first.delete_prefix("strace: ")}"
        end

        # @param path [String] the file to which strace writes its table
        # @return [Array<String>] the words to put before the command
        def prefix(path) = ["strace", "-f", "-c", "-o", path, "--"]

        # @param table [String] the output of `strace -c`
        # @return [SystemCalls]
        def parse(table)
          rows = table.each_line.filter_map { |line| ROW.match(line) }.reject { |row| row[:name] == "total" }
          new(rows.to_h { |row| [row[:name], Kind.new(row[:calls].to_i, row[:errors].to_i)] })
        end
      end

      # @return [Hash{String => Kind}] name → calls and errors
      attr_reader :kinds

      def initialize(kinds)
        @kinds = kinds
      end

      # @return [Kind] with zero calls for a kind that did not occur
      def [](name) = kinds.fetch(name, NONE)

      # @return [Integer]
      def total = kinds.values.sum(&:calls)
    end
  end
end

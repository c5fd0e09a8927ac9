# frozen_string_literal: true

module Frugal
  class Compare
    # The system calls of one run and all its children, by kind, as
    # <tt>strace -f -c</tt> counts them.
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
        # Asks once, with +true+ as the program: strace may be missing, and
        # ptrace may be forbidden (containers, Yama).
        #
        # @param directory [String] a folder for the test's output
        # @return [String, nil] why nothing can be counted; nil when it can
        def unavailable(directory)
          said = File.join(directory, "strace-says")
          return if system(*prefix(File::NULL), "true", in: File::NULL, out: File::NULL, err: said)
          return "strace is not installed" unless File.exist?(said) && File.size?(said)

          "strace cannot trace here: #{File.foreach(said, chomp: true).first.delete_prefix("strace: ")}"
        end

        # @param path [String] where strace writes its table
        # @return [Array<String>] what to put before the command
        def prefix(path) = ["strace", "-f", "-c", "-o", path, "--"]

        # @param table [String] the output of <tt>strace -c</tt>
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

      # @return [Kind] zero calls for a kind that never occurred
      def [](name) = kinds.fetch(name, NONE)

      # @return [Integer]
      def total = kinds.values.sum(&:calls)
    end
  end
end

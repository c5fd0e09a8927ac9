# frozen_string_literal: true

module Frugal
  module Profile
    # The cost of a file system call, and of an exception, in a Ruby program on this machine, in µs.
    #
    #   model = CostModel.calibrate
    #   model.call_us(:stat)               # => 1.4
    #   model.call_us(:stat, failed: true) # => 1.2
    #   model.exception_us(40)             # => 6.1
    class CostModel
      # Functions that are not measured => the measured function with the same cost.
      LIKE = { statx: :stat, fstatat: :stat, statfs: :stat, access: :eaccess, faccessat: :eaccess, openat: :open,
               fopen: :open, creat: :open, pread: :read, readv: :read, pwrite: :write, writev: :write,
               readdir: :opendir, getdents64: :opendir, isatty: :fstat, lseek: :fstat, close: :fstat,
               closedir: :fstat, fclose: :fstat,
               rmdir: :mkdir, mkfifo: :mkdir, mknod: :mkdir, link: :rename, symlink: :rename, unlink: :rename,
               chown: :chmod, lchown: :chmod, fchown: :chmod, fchmod: :chmod, utime: :chmod, truncate: :chmod,
               ftruncate: :chmod }.freeze
      OTHERS = :stat
      private_constant :LIKE, :OTHERS

      # Measures on this machine, in a temporary folder.
      #
      # *Cost*: at most 0.3 s, and some thousand calls.
      #
      # @return [CostModel]
      # @raise [SystemCallError] if no temporary folder can be made
      def self.calibrate = new(Calibration.new.table)

      # @return [Hash{Symbol => Hash, Float}] as given to {#initialize}
      attr_reader :table

      # @param table [Hash{Symbol => Hash, Float}] all values in µs. `calls`: the name of a function → [if it succeeds,
      #   if it fails], including the work that Ruby does around it; `overheads`: the name of a function → the work that
      #   Ruby does around it; `exceptions`: frames of the stack → raising an exception, rescuing it and its backtrace.
      #   Optional: `methods`: a method of File → the work that Ruby does around its call, if this is more than the
      #   overhead; `open_miss`, `search`, `clock`, `piece`, `disturbance`: see the methods
      def initialize(table)
        @table = table
        @exceptions = table.fetch(:exceptions).sort
      end

      # @param name [Symbol] a function of libc
      # @param failed [Boolean] whether it fails; the exception for that is not included
      # @return [Float] µs
      def call_us(name, failed: false) = look_up(:calls, name)[failed ? 1 : 0]

      # @param name [Symbol] a function of libc
      # @param method [String, nil] the method of Ruby that makes the call, such as "mtime"
      # @return [Float] µs that Ruby needs around the call
      def overhead_us(name, method = nil) = @table.dig(:methods, method) || look_up(:overheads, name)

      # @return [Float] µs by which an open that fails costs more than a question that fails
      def open_miss_us = @table.fetch(:open_miss, 0.0)

      # @return [Float] µs that `require` needs for each file that it tries to open, without the call
      def search_us = @table.fetch(:search) { overhead_us(:stat) }

      # The recorder reads the clock before and after a call, and the time of one reading is in the duration.
      #
      # @return [Float] µs by which a recorded duration is too long
      def clock_us = @table.fetch(:clock, 0.0)

      # @return [Float] µs to take one piece from a String, in place of a small read
      def piece_us = @table.fetch(:piece, 0.0)

      # @return [Float] µs by which a call slows down the code after it; a second call right after it adds nothing
      def disturbance_us = @table.fetch(:disturbance, 0.0)

      # Interpolates linearly between the measured depths, and extrapolates linearly beyond them.
      #
      # @param depth [Integer] frames
      # @return [Float] µs by which a call that raises costs more than the same one without an exception
      def exception_us(depth)
        low, high = neighbours(depth)
        return low.last if low.equal?(high)

        slope = (high.last - low.last).fdiv(high.first - low.first)
        [low.last + slope * (depth - low.first), 0.0].max
      end

      private

      def look_up(kind, name)
        known = @table.fetch(kind)
        known[name] || known[LIKE[name]] || known.fetch(OTHERS)
      end

      def neighbours(depth)
        index = @exceptions.index { |measured, _| measured >= depth } || @exceptions.size - 1
        index = 1 if index.zero? && @exceptions.size > 1
        [@exceptions[[index - 1, 0].max], @exceptions[index]]
      end
    end
  end
end

require_relative "cost_model/calibration"

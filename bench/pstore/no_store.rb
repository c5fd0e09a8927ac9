# frozen_string_literal: true

module Frugal
  module PStoreBench
    # The minimum of a durable change: a dump, a write in place, a sync. There are no locks,
    # and a crash during the write destroys the file.
    class NoStore
      def initialize(path)
        @file = File.open(path, "r+b")
        @file.sync = true
        @table = Marshal.load(@file.read)
      end

      def []=(key, value)
        @table[key] = value
      end

      def transaction
        yield self
        @file.pwrite(Marshal.dump(@table), 0)
        @file.fdatasync
      end
    end
  end
end

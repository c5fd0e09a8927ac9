# frozen_string_literal: true

module Frugal
  module PStoreBench
    # Nothing but what a durable change consists of: a dump, a write in place, a
    # sync. Nobody is locked out, nothing survives a crash in the middle.
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

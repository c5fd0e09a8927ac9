# frozen_string_literal: true

require_relative "../entries"

module Frugal
  class Entries
    # Deletes expired entries in small steps, one partition after the other.
    #
    #   sweep = Frugal::Entries::Sweep.new(entries, younger: 3600)
    #   sweep.step(64)    # looks at 64 files, => how many of them were deleted
    #
    # *Cost*: a step lists a partition when the last one is done (four calls); for each file one stat, and for one
    # that may have expired open, two locks, fstat, read, close.
    class Sweep
      # Age, in seconds, at which a file of a process that was killed is deleted.
      ABANDONED = 3600
      NAME = /\A\h{62}\z/
      UNFINISHED = /\A\h{62}\.new\z/
      private_constant :ABANDONED, :NAME, :UNFINISHED

      # @param younger [Numeric] seconds; files with a more recent mtime are not opened
      # @param first [Integer, nil] the partition to begin with; nil: any, since several processes sweep, and a child of
      #   a fork begins anew
      def initialize(entries, younger: 0, first: nil)
        @entries = entries
        @younger = younger
        @first = first
      end

      # @param count [Integer] of files to look at
      # @param partitions [Integer] how many of them to list at most
      # @return [Integer] how many files were deleted
      def step(count, partitions: 1)
        begin_process unless @pid == Process.pid
        deleted = 0
        while count.positive?
          if @names.empty?
            break if partitions.zero?

            partitions -= 1
            list
          end
          names = @names.pop(count)
          count -= names.size
          deleted += sweep(names)
        end
        deleted
      end

      # Looks at all files of all partitions.
      #
      # @return [Integer] how many files were deleted
      def all
        (0..255).sum do |partition|
          @partition = partition - 1
          list
          sweep(@names.pop(@names.size))
        end
      end

      private

      def begin_process
        @pid = Process.pid
        @partition = (@first || rand(256)) - 1
        @names = []
      end

      def list
        @partition = (@partition + 1) % 256
        @folder = format("%s/%02x", @entries.dir, @partition)
        @names = (Native.engine.children(@folder) || []).shuffle! # processes that end soon look at different files
      end

      def sweep(names) = names.count { |name| swept?("#{@folder}/#{name}", name) }

      def swept?(path, name)
        mtime = Native.engine.mtime(path) or return false
        age = Time.now - mtime
        if UNFINISHED.match?(name) then age > ABANDONED && File.unlink(path) == 1
        else NAME.match?(name) && age >= @younger && expired?(format("%02x%s", @partition, name))
        end
      rescue SystemCallError
        false
      end

      # Asks again under the lock. An entry whose turn somebody has is in use.
      def expired?(digest)
        handle = @entries.open(digest) or return false
        return false if handle.take_turn(0) == false

        handle.change(0, close: true) { handle.delete if deletable?(handle) } == true
      ensure
        handle&.close
      end

      def deletable?(handle)
        now = Time.now.to_f
        return handle.record.expired?(now, handle.mtime) if handle.record

        handle.problem == :empty && now - handle.mtime > ABANDONED
      end
    end
  end
end

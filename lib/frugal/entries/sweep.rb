# frozen_string_literal: true

require_relative "../entries"

module Frugal
  class Entries
    # Deletes expired entries in small steps, one partition after the other.
    #
    #   sweep = Frugal::Entries::Sweep.new(entries, younger: 3600)
    #   sweep.step(64)    # checks 64 files, => the number of deleted files
    #
    # *Cost*: when a partition is done, a step lists the next one (four calls). Each file costs one stat; a file that
    # may have expired also costs open, two locks, fstat, read, close.
    class Sweep
      # Age, in seconds, at which the unfinished file of a killed process is deleted.
      ABANDONED = 3600
      NAME = /\A\h{62}\z/
      UNFINISHED = /\A\h{62}\.new\z/
      private_constant :ABANDONED, :NAME, :UNFINISHED

      # @param younger [Numeric] seconds; files with a more recent mtime are not opened
      # @param first [Integer, nil] the partition to begin with; nil for a random one, chosen again after a fork, since
      #   several processes sweep
      def initialize(entries, younger: 0, first: nil)
        @entries = entries
        @younger = younger
        @first = first
      end

      # @param count [Integer] files to check
      # @param partitions [Integer] the largest number of partitions to list
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

      # Checks all files of all partitions.
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
        @names = (Native.engine.children(@folder) || []).shuffle! # short-lived processes check different files
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

      # Deletes an expired entry, under its lock. An entry whose turn is taken is in use.
      #
      # @return [Boolean] whether it was deleted
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

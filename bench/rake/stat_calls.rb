# frozen_string_literal: true

module Frugal
  module RakeBench
    StatCalls = Struct.new(:total, :distinct) do
      # @return [Float] calls for each distinct path; the minimum is 1.0
      def per_path = total.fdiv([distinct, 1].max)
    end

    # The stat calls of a run about paths in a folder: the stat(2) family by path, in all
    # processes of the run. fstat of a file descriptor and calls about Ruby's own libraries
    # are left out.
    class StatCalls
      # The "?" makes strace ignore a call that this architecture does not have.
      KINDS = %w[stat lstat newfstatat fstatat64 stat64 lstat64 statx].map { |name| "?#{name}" }.join(",")
      CALL = /\A(?:\d+ +)?\w*stat\w*\((?:[^",]+, )?"((?:[^"\\]|\\.)+)"/

      class << self
        # @param folder [String] absolute; paths below it count, the folder itself does not
        # @param fifo [String] a path for a named pipe, because the log of millions of calls
        #   would need a large file
        # @yieldparam prefix [Array<String>] words to put before the command
        # @return [StatCalls]
        def count(folder, fifo)
          File.mkfifo(fifo)
          reader = Thread.new { tally(fifo) }
          yield ["strace", "-f", "-qq", "--seccomp-bpf", "-e", "trace=#{KINDS}", "-e", "signal=none", "-o", fifo, "--"]
          release(fifo)
          of(reader.value, folder)
        ensure
          File.unlink(fifo) if File.exist?(fifo)
        end

        private

        # @return [Hash{String => Integer}] path as in the calls → number of calls
        def tally(fifo)
          File.foreach(fifo, encoding: Encoding::BINARY).each_with_object(Hash.new(0)) do |line, paths|
            path = line[CALL, 1]
            paths[path] += 1 if path
          end
        end

        # Ends the reader if strace did not start, because then no other process opens the pipe for writing.
        def release(fifo)
          File.open(fifo, File::WRONLY | File::NONBLOCK, &:itself)
        rescue Errno::ENXIO
          nil
        end

        def of(calls, folder)
          below = "#{folder}/"
          inside = Hash.new(0)
          calls.each do |path, count|
            full = File.expand_path(path, folder)
            inside[full] += count if full.start_with?(below)
          end
          new(inside.values.sum, inside.size)
        end
      end
    end
  end
end

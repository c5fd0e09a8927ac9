# frozen_string_literal: true

module Frugal
  module RakeBench
    # How often a run asked the kernel about paths of a folder: the stat(2)
    # family by path, in all processes of the run. A file descriptor's fstat and
    # what Ruby asks about its own libraries are left out.
    Asks = Struct.new(:total, :distinct) do
      # @return [Float] 1.0 is as few as possible
      def per_path = total.fdiv([distinct, 1].max)
    end

    class Asks
      # With a question mark, strace leaves out what this architecture has not.
      KINDS = %w[stat lstat newfstatat fstatat64 stat64 lstat64 statx].map { |name| "?#{name}" }.join(",")
      CALL = /\A(?:\d+ +)?\w*stat\w*\((?:[^",]+, )?"((?:[^"\\]|\\.)+)"/

      class << self
        # @param folder [String] absolute; paths below it count, itself does not
        # @param fifo [String] a path where a named pipe can be: a run may make
        #   millions of calls, which are worth no file
        # @yieldparam prefix [Array<String>] what goes before the command
        # @return [Asks]
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

        # @return [Hash{String => Integer}] as written in the calls
        def tally(fifo)
          File.foreach(fifo, encoding: Encoding::BINARY).each_with_object(Hash.new(0)) do |line, paths|
            path = line[CALL, 1]
            paths[path] += 1 if path
          end
        end

        # Where strace did not start, nobody else opens the pipe for writing.
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

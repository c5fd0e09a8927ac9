# frozen_string_literal: true

require "stringio"

module Frugal
  module Profile
    class CostModel
      # Measures the work that Ruby does around a system call, which the recorder does not see. Part of {Calibration}.
      module Surroundings
        PIECE = 8 # bytes
        PIECES = 64 # of a String
        EXTENSIONS = 2 # .rb and .so
        ROUNDS = 15
        TIMES = 200
        private_constant :PIECE, :PIECES, :EXTENSIONS, :ROUNDS, :TIMES

        private

        # The kernel refuses an empty path at once. So the time is Ruby's, apart from entering the kernel, which is all
        # that getppid does. The time of an open beyond that of the bare call is for the IO.
        #
        # @return [Hash{Symbol => Float}]
        def overheads
          @question = [us { File.exist?("") } - us { Process.ppid }, 0.0].max
          { stat: @question, read: read_overhead, write: read_overhead, fstat: @question / 2,
            open: [@open - bare_open, @question].max, opendir: [@open - bare_open, @question].max }
        end

        # At the end of a file, the kernel has as little to do as for an empty path.
        def read_overhead
          @read_overhead ||= File.open(File::NULL) { |null| [us { null.read(PIECE) } - us { Process.ppid }, 0.0].max }
        end

        # A time, a number or a File::Stat costs more than true or false.
        #
        # @return [Hash{String => Float}] by the name of the method
        def methods_of_file
          asking = us { File.exist?(@file) }
          time, size, stat = [us { File.mtime(@file) }, us { File.size(@file) }, us { File.stat(@file) }]
                             .map { |taken| @question + [taken - asking, 0.0].max }
          { "mtime" => time, "atime" => time, "ctime" => time, "size" => size, "stat" => stat, "lstat" => stat }
        end

        # `require` tries each folder with each extension. All of the time is Ruby's, except for the open of a missing
        # file.
        def search
          open = us { File.exist?(@missing) } - @question
          tried = $LOAD_PATH.size * EXTENSIONS
          [us { $LOAD_PATH.resolve_feature_path("frugal/missing") } / [tried, 1].max - open, 0.0].max
        end

        def clock
          [us { Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond) } - us { Process.itself }, 0.0].max
        end

        # @return [Float] µs to read one piece of a String
        def piece
          input = StringIO.new("x" * PIECES * PIECE)
          us { (input.pos = 0) && PIECES.times { input.read(PIECE) } } / PIECES
        end

        # A system call costs more than its duration: the code after it runs slower, since the kernel has replaced or
        # cleared the processor's caches and predictions for it. Measured with code that is as mixed as a program's.
        def disturbance
          differences = Array.new(ROUNDS) do
            apart = seconds { TIMES.times { some_work } } + seconds { TIMES.times { @handle.pread(PIECE, 0) } }
            seconds { TIMES.times { some_work && @handle.pread(PIECE, 0) } } - apart
          end
          [differences.sort[ROUNDS / 2] / TIMES * 1e6, 0.0].max
        end

        def some_work
          text = "key-#{@work = @work.to_i + 1}"
          text.unpack("C*").map { |byte| byte + 1 }.select(&:even?).sum + text.sub("k", "b").tr("0-5", "a-f").hash
        end
      end
    end
  end
end

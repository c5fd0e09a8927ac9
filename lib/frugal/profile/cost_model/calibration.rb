# frozen_string_literal: true

require "tmpdir"
require_relative "surroundings"

module Frugal
  module Profile
    class CostModel
      # Measures the cost of calls and exceptions, in a temporary folder. Each figure is processor time, and the second
      # lowest of a few rounds: rounds in which another process displaced the caches do not count.
      class Calibration
        ROUNDS = 7
        ROUND = 0.0007 # seconds
        ROUND_OF_EXCEPTIONS = 0.004 # seconds: enough for some to be garbage-collected
        LONG = 10 # no further round once the rounds have taken this many times ROUND
        DEPTHS = [1, 50, 200].freeze # frames that are added to those of the caller
        TRIALS = 3 # calls from which the number of calls in a round is computed
        OPENS = 20 # descriptors at a time
        # Java has no clock of a thread's processor time.
        CLOCK = Process.const_defined?(:CLOCK_THREAD_CPUTIME_ID) ? Process::CLOCK_THREAD_CPUTIME_ID : Process::CLOCK_MONOTONIC
        private_constant :ROUNDS, :ROUND, :ROUND_OF_EXCEPTIONS, :LONG, :DEPTHS, :TRIALS, :OPENS, :CLOCK

        include Surroundings

        # *Cost*: about 0.2 s.
        #
        # @return [Hash{Symbol => Hash}] see {CostModel#initialize}
        def table
          Dir.mktmpdir("frugal-") do |folder|
            @folder = folder
            prepare
            @empty = per_call { nil }
            { calls: calls, overheads: overheads, methods: methods_of_file, exceptions: exceptions,
              open_miss: open_miss, search: search, clock: clock, piece: piece, disturbance: disturbance }
          ensure
            @handle&.close
          end
        end

        private

        def prepare
          @missing = path("missing")
          @file = path("file")
          @link = path("link")
          File.write(@file, "x" * 4096)
          File.symlink(@file, @link)
          Dir.mkdir(path("directory"))
          @handle = File.open(@file, "r+")
        end

        def path(name) = File.join(@folder, name)

        # @return [Hash{Symbol => Array(Float, Float)}]
        def calls
          missed = us { File.exist?(@missing) }
          questions.transform_values { |found| [found, missed] }.merge(
            on_descriptors.merge(changes).transform_values { |found| [found, [found, missed].min] }
          )
        end

        def questions
          { stat: us { File.exist?(@file) }, lstat: us { File.symlink?(@file) }, eaccess: us { File.readable?(@file) },
            readlink: us { File.readlink(@link) }, realpath: us { File.realpath(@file) },
            open: @open = us { File.new(@file).close }, opendir: us { Dir.empty?(path("directory")) } }
        end

        def on_descriptors
          { fstat: us { @handle.size }, read: us { @handle.pread(8, 0) }, write: us { @handle.pwrite("x", 0) } }
        end

        # A step makes a change and undoes it, so the folder stays as it was.
        def changes
          folder = path("new")
          { mkdir: us { Dir.rmdir(folder) if Dir.mkdir(folder) } / 2, chmod: us { @handle.chmod(0o600) },
            rename: us { File.rename(@link, path("other")) && File.rename(path("other"), @link) } / 2 }
        end

        def bare_open
          descriptors = []
          typical(ROUND) do
            taken = seconds { OPENS.times { descriptors << IO.sysopen(@file) } }
            descriptors.each { |fd| IO.for_fd(fd).close }.clear
            taken / OPENS * 1e6
          end
        end

        # The difference between a question that raises for a miss and a question that does not.
        #
        # @return [Hash{Integer => Float}]
        def exceptions
          DEPTHS.to_h do |frames|
            deeper(frames) do
              missed = us { File.exist?(@missing) }
              [caller.size, [us(ROUND_OF_EXCEPTIONS) { rescued { File.stat(@missing) } } - missed, 0.0].max]
            end
          end
        end

        def open_miss
          asked = us(ROUND_OF_EXCEPTIONS) { rescued { File.stat(@missing) } }
          [us(ROUND_OF_EXCEPTIONS) { rescued { File.open(@missing) } } - asked, 0.0].max
        end

        def rescued
          yield
        rescue SystemCallError
          nil
        end

        def deeper(frames, &block) = frames.zero? ? block.call : deeper(frames - 1, &block)

        def us(round = ROUND, &block) = [per_call(round, &block) - @empty, 0.0].max

        # @return [Float] µs
        def per_call(round = ROUND, &block)
          trial = seconds { TRIALS.times(&block) } / TRIALS
          times = (round / [trial, 1e-9].max).ceil.clamp(2, 10_000)
          typical(round) { seconds { times.times(&block) } / times * 1e6 }
        end

        # @param round [Float] the intended seconds of a round
        # @yieldreturn [Float] the result of one round
        # @return [Float]
        def typical(round)
          rounds = []
          taken = 0
          taken += seconds { rounds << yield } while rounds.size < ROUNDS && taken < LONG * round
          rounds.sort[[1, rounds.size - 1].min]
        end

        # Returns seconds of processor time, which do not change when the machine is busy with other work.
        def seconds
          start = Process.clock_gettime(CLOCK)
          yield
          Process.clock_gettime(CLOCK) - start
        end
      end
    end
  end
end

# frozen_string_literal: true

module Frugal
  module RakeBench
    # Processor seconds of one run under JRuby, by phase: JRuby and Rake start, the Rakefile is evaluated, the tasks are
    # invoked. See phase_clock.rb for the threads that count.
    Phases = Struct.new(:boot, :rakefile, :build, keyword_init: true) do
      # @return [Float]
      def after_boot = rakefile + build

      # @return [Float]
      def whole = boot + after_boot
    end

    # Read from a run, see {.take}.
    class Phases
      CLOCK = File.join(__dir__, "phase_clock.rb")

      class << self
        # @return [String] the Rakefile with calls of the clock, which do nothing where it is not loaded
        def marked(rakefile)
          first, last = %w[boot rakefile].map { |phase| "RakePhaseClock.reach(#{phase.inspect}) if defined?(RakePhaseClock)\n" }
          "#{first}#{rakefile}#{last}"
        end

        # @return [Hash{String => String}] the environment of a process whose clock writes into the file
        def environment(path) = { "FRUGAL_PHASES" => path }

        # Reads and removes what the clock has written.
        #
        # @return [Phases, nil] nil if it wrote nothing: this is no JRuby, the run failed, or the kernel tells no
        #   thread's time
        def take(path)
          boot, rakefile, build = File.readlines(path).map { |line| Float(line.split.last) }
          File.unlink(path)
          new(boot: boot, rakefile: rakefile - boot, build: build - rakefile) if build
        rescue Errno::ENOENT
          nil
        end
      end
    end
  end
end

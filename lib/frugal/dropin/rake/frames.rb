# frozen_string_literal: true

require_relative "../../platform"

module Frugal
  module Dropin
    module Rake
      # Removes frugal's own lines from a backtrace, so that the text of a failing build is
      # exactly Rake's.
      module Frames
        FRUGAL = "#{File.expand_path("../..", __dir__)}/".freeze
        # A method written in C has no line of its own: it shows its caller's.
        NATIVE = /:in [`'](?:String#|Rake::Task\.)?(?:ext|pathmap|define_task)'\z/
        # Dir.glob is written in Ruby. Frugal's own, which has the same path, calls it (see dropin/dir/entrance.rb).
        DIR = "<internal:dir>:"
        PLACE = /\A.*?:\d+:/
        # The frame of a walk, in which Rake would have nested frames for its tasks.
        WALK = %r{\A#{Regexp.escape(FRUGAL)}dropin/rake/invocation\.rb:\d+:in [`'](?:[\w:]+#)?run'\z}

        class << self
          # @param folder [String] Rake's own, with its last slash
          attr_writer :rake_folder

          # The walks that are in progress in this thread, the innermost first. Only under JRuby: there, each task that
          # Rake itself starts leaves a frame of Monitor#synchronize, which Rake prints.
          #
          # @return [Array<RakeWalk>, nil]
          def walks = @walks && @walks[::Thread.current]

          # @param walks [Array<RakeWalk>, nil] kept weakly
          def walks=(walks)
            return unless Platform::JRUBY

            @walks ||= ::ObjectSpace::WeakMap.new
            @walks[::Thread.current] = walks
          end

          # Notes how many tasks each walk had started when an error was raised. For a task that has failed before,
          # Rake raises the same error again, with the same backtrace.
          #
          # @param error [Exception]
          def note(error)
            return unless Platform::JRUBY

            @depths ||= ::ObjectSpace::WeakMap.new
            depths = kept(walks.to_a.map(&:depth))
            while error
              backtrace = error.backtrace
              @depths[backtrace] ||= depths if backtrace
              error = error.cause
            end
          end

          # @param backtrace [Array<String>, nil]
          # @return [Array<String>, nil] the lines that are not frugal's
          def without_frugal(backtrace)
            backtrace = with_monitors(backtrace, @depths[backtrace]) if @depths&.key?(backtrace)
            lines = backtrace&.reject&.with_index do |line, i|
              line.start_with?(FRUGAL) || native?(backtrace, i)
            end
            lines&.reject&.with_index do |line, i|
              i.positive? && line.start_with?(DIR) && lines[i - 1].start_with?(DIR)
            end
          end

          private

          # Returns the same object for equal lists. It is not collected: WeakMap keeps values weakly, too.
          def kept(depths)
            @kept ||= {}
            @kept[depths] ||= depths
          end

          # @param depths [Array<Integer>] of the walks, the innermost first
          def with_monitors(backtrace, depths)
            depths = depths.dup
            backtrace.flat_map do |line|
              WALK.match?(line) ? [line, *([monitor_line] * depths.shift.to_i)] : line
            end
          end

          # JRuby's line for Monitor#synchronize.
          def monitor_line
            @monitor_line ||= begin
              ::Monitor.new.synchronize { raise "" }
            rescue ::RuntimeError => e
              e.backtrace.find { |line| line.end_with?("synchronize'") }
            end
          end

          # Whether a line is the frame of a C method of frugal. The line of its caller follows, and either Rake called
          # it or it called Rake: a method of the program may have the same name and be on its caller's line.
          def native?(lines, index)
            line = lines[index]
            NATIVE.match?(line) && index.positive? && lines[index + 1]&.start_with?(line[PLACE]) &&
              [line, lines[index - 1]].any? { |place| place.start_with?(@rake_folder, FRUGAL) }
          end
        end
      end
    end
  end
end

# frozen_string_literal: true

module Frugal
  module Dropin
    module Rake
      # Tells the lines of a backtrace that are there only because of frugal, so
      # that a failing build's text is Rake's to the letter.
      module Frames
        OURS = "#{File.expand_path("../..", __dir__)}/"
        # A method written in C has no line of its own: it shows its caller's.
        NATIVE = /:in [`'](?:String#|Rake::Task\.)?(?:ext|pathmap|define_task)'\z/.freeze
        # Dir.glob is written in Ruby, and ours, at the same path, calls it (see dropin/dir/entrance.rb).
        DIR = "<internal:dir>:"
        PLACE = /\A.*?:\d+:/.freeze

        class << self
          # @param folder [String] Rake's
          def begin(folder)
            @upstream = folder
          end

          # @param backtrace [Array<String>, nil]
          def without_ours(backtrace)
            lines = backtrace&.reject&.with_index do |line, i|
              line.start_with?(OURS) || native?(backtrace, i)
            end
            lines&.reject&.with_index { |line, i| i.positive? && line.start_with?(DIR) && lines[i - 1].start_with?(DIR) }
          end

          private

          # Its caller's own line stands below. Rake called it, or it called Rake:
          # a method of the user's may have that name, and stand on its caller's line.
          def native?(lines, index)
            line = lines[index]
            NATIVE.match?(line) && index.positive? && lines[index + 1]&.start_with?(line[PLACE]) &&
              [line, lines[index - 1]].any? { |place| place.start_with?(@upstream, OURS) }
          end
        end
      end
    end
  end
end

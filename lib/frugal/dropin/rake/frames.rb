# frozen_string_literal: true

module Frugal
  module Dropin
    module Rake
      # Removes frugal's own lines from a backtrace, so that the text of a failing build is
      # exactly Rake's.
      module Frames
        FRUGAL = "#{File.expand_path("../..", __dir__)}/".freeze
        # A method written in C has no line of its own: it shows its caller's.
        NATIVE = /:in [`'](?:String#|Rake::Task\.)?(?:ext|pathmap|define_task)'\z/
        # Dir.glob is written in Ruby. Frugal's, which has the same path, calls it (see dropin/dir/entrance.rb).
        DIR = "<internal:dir>:"
        PLACE = /\A.*?:\d+:/

        class << self
          # @param folder [String] Rake's own, with its last slash
          attr_writer :rake_folder

          # @param backtrace [Array<String>, nil]
          def without_frugal(backtrace)
            lines = backtrace&.reject&.with_index do |line, i|
              line.start_with?(FRUGAL) || native?(backtrace, i)
            end
            lines&.reject&.with_index do |line, i|
              i.positive? && line.start_with?(DIR) && lines[i - 1].start_with?(DIR)
            end
          end

          private

          # Whether a line is that of a C method of frugal's. The line of its caller follows, and either Rake called
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

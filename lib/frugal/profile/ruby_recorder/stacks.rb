# frozen_string_literal: true

# Converts Ruby's locations to the stacks of a log. The frames of the recorder and of Java are written as methods
# without a line of Ruby, as in a log of the native recorder.
module Stacks
  OWN = "#{File.dirname(__FILE__)}/".freeze
  JAVA = ".java"
  SKIPPED = 8 # the maximum number of the recorder's frames above the frames of the program
  private_constant :OWN, :JAVA

  class << self
    # @return [Array<Location>] the locations of the caller, including the frames of the recorder
    def here = caller_locations(2, Recorder.depth + SKIPPED)

    # @param location [Location]
    # @return [Boolean]
    def own?(location) = location.path.to_s.start_with?(OWN)

    # @param line [String] of a backtrace
    # @return [Boolean]
    def own_line?(line) = line.start_with?(OWN)

    # @param locations [Array<Location>]
    # @param definitions [Definitions]
    # @return [Integer] the number of the stack in the log
    def number(locations, definitions)
      frames = frames(locations).first(Recorder.depth)
      definitions.stack(frames.map { |file, line, label| definitions.frame(file, line, label) })
    end

    # @param locations [Array<Location>]
    # @return [Array<Array(String, Integer, String)>] file, line and label; no file for a method without a line
    def frames(locations)
      found = []
      locations.each_with_index do |location, index|
        outer = locations[index + 1]
        if own?(location)
          found << [nil, 0, location.base_label] unless outer && own?(outer)
        else
          found << frame(location, outer)
        end
      end
      found
    end

    private

    # Returns the frame of a location. A method that is written in C has the line of its caller.
    def frame(location, outer)
      file = location.absolute_path || location.path.to_s
      builtin = file.end_with?(JAVA) || (outer && outer.lineno == location.lineno && outer.path == location.path &&
                                         !location.label.start_with?("block "))
      builtin ? [nil, 0, location.base_label] : [file, location.lineno.to_i, location.label.to_s]
    end
  end
end

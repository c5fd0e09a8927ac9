# frozen_string_literal: true

require_relative "rescuers/source"
require_relative "stack"

module Frugal
  module Profile
    # Finds in the source the `rescue` that rescues an exception: the first one, from the innermost frame outwards,
    # whose body covers the line of the frame and whose classes may match.
    #
    #   Rescuers.new.find(exception).to_s # => "/app/cache.rb:31"
    #
    # *Cost*: each file is read and parsed once, and each stack is looked up once for each class.
    class Rescuers
      def initialize
        @sources = {}
        @found = {}.compare_by_identity
      end

      # A class that is computed (`rescue *ERRORS`) may match anything. A file that cannot be read or parsed rescues
      # nothing.
      #
      # @param exception [Raise]
      # @return [Frame, nil] the line of the `rescue`; nil if no line of the recorded frames rescues it
      def find(exception)
        found = @found[exception.stack] ||= {}
        found.fetch(exception.class_name) { |name| found[name] = search(exception) }
      end

      private

      def search(exception)
        exception.stack.frames.each do |frame|
          next unless frame.source?

          line = source(frame.file).rescuer(frame, exception.ancestors)
          return Frame.new(frame.file, line, frame.label) if line
        end
        nil
      end

      def source(file) = @sources[file] ||= Source.read(file)
    end
  end
end

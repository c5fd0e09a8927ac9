# frozen_string_literal: true

module Frugal
  module Profile
    # One level of a Ruby stack. `file` is absolute, or `<internal:dir>` for a method of Ruby's own that is written in
    # Ruby; it is nil for a method that is written in C, and then `line` is nil too. `label` is a method or block.
    Frame = Struct.new(:file, :line, :label) do
      # @return [Boolean] whether the frame has a line in a file
      def source? = !file.nil? && !file.start_with?("<internal:")

      # @return [String, nil] the method without the blocks in it, such as "run" or, from Ruby 3.4 on, "Builder#run"
      def method_name = label&.split(" in ")&.last

      # @return [String] such as `/app/a.rb:12`
      def to_s = "#{file}:#{line}"
    end

    # The Ruby frames of one moment, the innermost one first. Equal stacks of one process are the same object, so a
    # stack can be a key of a Hash that compares by identity.
    class Stack
      # @return [Array<Frame>] at most as many as the recorder keeps (its `depth`)
      attr_reader :frames

      # @param frames [Array<Frame>]
      def initialize(frames)
        @frames = frames.freeze
      end

      # @return [Frame, nil] the innermost frame with a line in a file; nil outside of Ruby
      def site
        return @site if defined?(@site)

        @site = frames.find(&:source?)
      end

      # @return [Stack] of an event outside of Ruby
      EMPTY = new([])
    end
  end
end

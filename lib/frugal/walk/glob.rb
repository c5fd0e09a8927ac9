# frozen_string_literal: true

module Frugal
  module Walk
    # A pattern of Dir.glob, for paths relative to the root of a walk. The common
    # ones are the engine's: then nothing is matched in Ruby.
    #
    #   Walk::Glob.new("**/*.c", hidden: false).suffixes   # => [".c"]
    #   Walk::Glob.new("*/doc/*", hidden: false).depth     # => 3
    class Glob
      ALL = "**/*"
      # **/*.c and **/*.{c,h}: any name that ends so.
      ENDINGS = %r{\A\*\*/\*(?:(\.[\w.-]+)|\.\{([\w.,-]+)\})\z}.freeze

      # @return [Integer, nil] how many levels deep it looks; nil: all
      attr_reader :depth
      # @return [Array<String>, nil] how the names end that it finds; nil: who knows
      attr_reader :suffixes

      # @param pattern [String]
      # @param hidden [Boolean] whether wildcards match a leading dot
      def initialize(pattern, hidden:)
        pattern.end_with?("/") and raise UsageError, "glob: #{pattern.inspect} ends in a slash; a walk lists paths without one"
        pattern.start_with?("/") and raise UsageError, "glob: #{pattern.inspect} begins with a slash; it is relative to the root"
        @bytes = !pattern.valid_encoding? # a name may be any bytes, and File.fnmatch? finds no text that is broken
        @pattern = @bytes ? pattern.b : pattern
        @flags = File::FNM_PATHNAME | File::FNM_EXTGLOB | (hidden ? File::FNM_DOTMATCH : 0)
        @depth = pattern.b.count("/") + 1 unless pattern.include?("**") || pattern.include?("{")
        @suffixes = endings(ENDINGS.match(pattern)) unless @bytes
      end

      # Whether it names hidden files, as ".*" does.
      def dots? = @pattern.b.match?(/(?:\A|[\/{,])\./)

      # Whether it finds all that there is.
      def all? = @pattern == ALL

      # Whether {#suffixes} says it all.
      def exact? = !@suffixes.nil?

      def match?(relative) = File.fnmatch?(@pattern, @bytes ? relative.b : relative, @flags)

      private

      def endings(found)
        return unless found

        found[1] ? [found[1]] : found[2].split(",", -1).map { |ending| ".#{ending}" }
      end
    end
  end
end

# frozen_string_literal: true

module Frugal
  module Walk
    # A pattern of Dir.glob, matched against paths relative to the root of a walk. The
    # engine itself handles the common patterns, and Ruby then matches nothing.
    #
    #   Walk::Glob.new("**/*.c", hidden: false).suffixes   # => [".c"]
    #   Walk::Glob.new("*/doc/*", hidden: false).depth     # => 3
    class Glob
      ALL = "**/*"
      # Patterns such as **/*.c and **/*.{c,h}, which match any name with these endings.
      ENDINGS = %r{\A\*\*/\*(?:(\.[\w.-]+)|\.\{([\w.,-]+)\})\z}

      # @return [Integer, nil] how many levels deep the pattern matches; nil for any depth
      attr_reader :depth
      # @return [Array<String>, nil] the endings of all names that match; nil if the
      #   pattern has no such list
      attr_reader :suffixes

      # @param pattern [String]
      # @param hidden [Boolean] whether wildcards match a leading dot
      def initialize(pattern, hidden:)
        check(pattern)
        @bytes = !pattern.valid_encoding? # names may be any bytes, but File.fnmatch? never matches invalid text
        @pattern = @bytes ? pattern.b : pattern
        @flags = File::FNM_PATHNAME | File::FNM_EXTGLOB | (hidden ? File::FNM_DOTMATCH : 0)
        @depth = pattern.b.count("/") + 1 unless pattern.include?("**") || pattern.include?("{")
        @suffixes = endings(ENDINGS.match(pattern)) unless @bytes
      end

      # Whether it matches hidden files explicitly, as ".*" does.
      def dots? = @pattern.b.match?(/(?:\A|[\/{,])\./)

      # Whether it matches every path.
      def all? = @pattern == ALL

      # Whether {#suffixes} alone decides if a path matches.
      def exact? = !@suffixes.nil?

      def match?(relative) = File.fnmatch?(@pattern, @bytes ? relative.b : relative, @flags)

      private

      def check(pattern)
        slash = "ends in a slash; a walk lists paths without one" if pattern.end_with?("/")
        slash ||= "begins with a slash; it must be relative to the root" if pattern.start_with?("/")
        raise UsageError, "glob: #{pattern.inspect} #{slash}" if slash
      end

      def endings(found)
        return unless found

        found[1] ? [found[1]] : found[2].split(",", -1).map { |ending| ".#{ending}" }
      end
    end
  end
end

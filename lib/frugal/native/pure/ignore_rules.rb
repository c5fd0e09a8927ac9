# frozen_string_literal: true

require_relative "ignore_pattern"

module Frugal
  module Native
    module Pure
      # The pure twin of ext/frugal/core/ignore/ignore_rules.c: the patterns of one .gitignore,
      # parsed as git parses them.
      #
      #   rules = Frugal::Native::Pure::IgnoreRules.parse("*.o\n!keep.o\n")
      #   rules.match("src/a.o", "a.o", false)        # => :out
      #   rules.match("src/keep.o", "keep.o", false)  # => :in
      #   rules.match("src/a.c", "a.c", false)        # => nil
      class IgnoreRules
        # A line of the file. `text` is a Regexp that matches the name or path, or a String: the
        # complete name or path, or with `ending` its end. `verdict` is :out or :in.
        Pattern = Struct.new(:text, :ending, :whole_path, :directories_only, :verdict)

        BOM = "\xEF\xBB\xBF".b.freeze

        # @param bytes [String] a file's content, in any encoding
        # @return [IgnoreRules]
        def self.parse(bytes)
          lines = bytes.b.delete_prefix(BOM).split("\n").reject { |line| line.start_with?("#") }
          new(lines.filter_map { |line| pattern(line) })
        end

        class << self
          private

          # @return [Pattern, nil] nil if the line can match nothing
          def pattern(line)
            line = line.delete_suffix("\r")[/\A[^\0]*/n] # git stops reading at a NUL
            line = line[/\A(?:\\.|[^ ]| ++(?!\z))*/mn] # removes spaces at the end, except an escaped one
            verdict = line.delete_prefix!("!") ? :in : :out
            directories_only = !line.delete_suffix!("/").nil?
            whole_path = line.include?("/")
            line.delete_prefix!("/") if whole_path
            # "**/name" is the same as "name".
            whole_path = false if whole_path && line.sub!(%r{\A\*\*+/(?=[^/]*\z)}n, "")
            compile(line, whole_path, directories_only, verdict) unless line.empty?
          end

          def compile(line, whole_path, *rest)
            if line.match?(/\A[^*?\[\\]+\z/n)
              Pattern.new(line, false, whole_path, *rest)
            elsif !whole_path && line.match?(/\A\*[^*?\[\\]*\z/n)
              Pattern.new(line.delete_prefix("*"), true, false, *rest)
            else
              regexp = IgnorePattern.new(line, whole_path).regexp
              Pattern.new(regexp, false, whole_path, *rest) if regexp
            end
          end
        end

        # @param patterns [Array<Pattern>] the last one that matches decides
        def initialize(patterns)
          @patterns = patterns.reverse
        end

        # @param path [String] relative to the folder of the rules, without a slash at either end
        # @param name [String] the last part of the path
        # @param directory [Boolean] whether the path is a directory (a link to a directory is not)
        # @return [Symbol, nil] :out if the path is ignored, :in if a pattern with "!" includes it,
        #   nil if no pattern matches
        def match(path, name, directory)
          path = path.b
          name = name.b
          @patterns.each do |pattern|
            next if pattern.directories_only && !directory
            return pattern.verdict if matches?(pattern, pattern.whole_path ? path : name)
          end
          nil
        end

        private

        def matches?(pattern, text)
          wanted = pattern.text
          return wanted.match?(text) if wanted.is_a?(Regexp)

          pattern.ending ? text.end_with?(wanted) : text == wanted
        end
      end
    end
  end
end

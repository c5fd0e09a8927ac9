# frozen_string_literal: true

module Frugal
  module Native
    module Pure
      # The pure twin of ext/frugal/rake/rake_names.c: changes and filters names of files as
      # Rake does. A method returns nil for a name that it does not handle. Then the caller
      # uses Rake's own method.
      module Names
        IGNORED = %r{(?:\A|[/\\])(?:CVS|\.svn)(?:[/\\]|\z)|\.bak\z|~\z}
        CORE = %r{(?:\A|[/\\])core\z}
        GLOB_FLAGS = File::FNM_PATHNAME | File::FNM_EXTGLOB

        # @return [String, nil]
        def pathmap(name, program)
          return unless plain_name?(name)

          program.inject(+"") do |result, part|
            next result << part if part.is_a?(String)

            operator, pairs = part
            result << pairs.inject(fragment(name, operator)) { |text, pair| substitute(text, *pair) }
          end
        end

        # @return [String, nil] the result of String#ext
        def extension(name, extension)
          return unless plain_name?(name) && plain_name?(extension)
          return unless name.encoding == extension.encoding || extension.ascii_only?
          return name.dup if name == "." || name == ".."

          extension = ".#{extension}" unless extension.empty? || extension.start_with?(".")
          stem(name) << extension
        end

        # Does nothing: String#ext and String#pathmap stay those of Rake, since Ruby code would not be faster.
        def adopt_extension = nil

        # @param _programs [Hash] spec => program, or nil if there is none
        def adopt_pathmap(_programs) = nil

        # @return [Array<String>, nil]
        def keep_names(names, excluded, patterns)
          return if names.any? { |name| !plain_name?(name) || name.match?(CORE) }

          names.reject { |name| name.match?(IGNORED) || excluded.key?(name) || excluded?(name, patterns) }
        end

        # Reports whether none of the names is a glob, and this module handles all of them.
        def literal?(names) = names.all? { |name| plain_name?(name) && !name.match?(/[*?\[{]/) }

        # Reports whether all names are Strings, in the order of Array#sort.
        def sorted?(names)
          names.all?(String) && names.each_cons(2).all? { |one, two| (one <=> two) <= 0 }
        end

        private

        def excluded?(name, patterns)
          patterns.any? do |pattern|
            pattern.is_a?(Regexp) ? pattern.match?(name) : File.fnmatch?(pattern, name, GLOB_FLAGS)
          end
        end

        def plain_name?(name)
          name.instance_of?(String) && [Encoding::UTF_8, Encoding::US_ASCII].include?(name.encoding) &&
            name.valid_encoding? && !name.match?(/[\n\0]/)
        end

        def stem(name) = name.delete_suffix(File.extname(name))

        def fragment(name, operator)
          case operator
          when "f" then File.basename(name)
          when "n" then base_stem(File.basename(name))
          when "d" then File.dirname(name)
          when "x" then File.extname(name)
          when "X" then base_stem(name)
          else name
          end
        end

        def base_stem(name) = name == "." || name == ".." ? name : stem(name)

        # A pattern that is a String is a prefix.
        def substitute(text, pattern, replacement)
          return text.sub(pattern, replacement) unless pattern.is_a?(String)

          text.start_with?(pattern) ? replacement + text.delete_prefix(pattern) : text
        end
      end
    end
  end
end

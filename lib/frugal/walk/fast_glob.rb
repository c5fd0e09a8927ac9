# frozen_string_literal: true

require_relative "../constants"
require_relative "fast_glob/braces"
require_relative "fast_glob/request"
if Frugal::Platform::JRUBY # rubocop:disable Style/IfUnlessModifier -- the bytecode's compiler looks for lines of require
  require_relative "fast_glob/jruby"
end

module Frugal
  module Walk
    # Answers Dir.glob by a walk, for the patterns for which the result is exactly Ruby's:
    # names with a given beginning and ending, in one folder or in all folders below it;
    # several such patterns, in braces or in an array; with `base:`; with FNM_DOTMATCH.
    #
    #   FastGlob.parts("lib/**/*.rb")           # => [["lib/a.rb"]]: one walk
    #   FastGlob.parts("{lib,*}/**/*.{rb,erb}") # => [["lib/a.rb"], [], "*/**/*.rb", "*/**/*.erb"]
    #                                           #    Ruby has to answer the last two
    #   FastGlob.parts("lib/[ab]")              # => nil: Ruby has to answer all
    #   FastGlob.paths("lib/**/*.rb")           # => ["lib/a.rb"]
    #
    # Ruby has to answer patterns with brackets, "?", escapes, wildcards in the middle of
    # a path, names that begin with a dot, and other encodings; also any pattern for which
    # a folder cannot be read, because Ruby then warns or raises. {Jruby} describes what differs under JRuby.
    module FastGlob
      ENCODINGS = [Encoding::UTF_8, Encoding::US_ASCII].freeze
      BASE_ENCODINGS = [*ENCODINGS, Encoding::BINARY].freeze
      # Flags without an effect on these patterns: Dir.glob ignores FNM_CASEFOLD, and they contain no escape.
      IGNORED_FLAGS = File::FNM_NOESCAPE | File::FNM_PATHNAME | File::FNM_CASEFOLD | File::FNM_EXTGLOB
      DOTS = File::FNM_DOTMATCH
      TREE = Native.engine::Tree
      # Whether the engine answers common patterns in one call, which costs less than reading the pattern in Ruby.
      BELOW = TREE.respond_to?(:glob_below)
      private_constant :TREE, :BELOW

      class << self
        # @param patterns [Object] a String, or an Array of them
        # @param sort [Boolean]
        # @param base [Object] nil, a String or a Pathname
        # @param flags [Integer]
        # @return [Array<String>, nil] nil if Ruby has to answer all or a part
        # *Cost*: as {.parts}.
        def paths(patterns, sort: true, base: nil, flags: 0)
          paths = below(patterns, flags, base, sort)
          return paths || nil unless paths.nil?

          parts = parts(patterns, sort: sort, base: base, flags: flags) or return
          return parts.first if parts.size == 1

          parts.flatten(1) unless parts.any?(String)
        end

        # Answers one pattern without flags: a literal folder, which may have one pair of braces, "**/", and a name with
        # one "*". Under Linux also a name in the folder itself, and a path.
        #
        # @return [Array<String>, false, nil] false if only Ruby can answer; nil for anything else, which {.parts} reads
        # *Cost*: as {Walk#walk}, for each folder; one `open` for a folder that is not there, one `lstat` for a path.
        def below(pattern, flags, base, sort) = (TREE.glob_below(pattern, flags, base, sort) if BELOW)

        # The answer in parts, in order. Does not call Ruby's Dir.glob: it may warn and then
        # raise, and a second call would warn again.
        #
        # @param (see .paths)
        # @return [Array<Array<String>, String>, nil] at least one Array of paths that a walk
        #   found, and the patterns that Ruby has to answer; nil if Ruby has to answer all
        # *Cost*: as {Walk#walk}, for each folder; for any other pattern a Regexp.
        def parts(patterns, sort: true, base: nil, flags: 0)
          return unless sort.equal?(true) || sort.equal?(false)

          base = base(base)
          dots = dots(flags, sort)
          return if base == false || dots.nil?

          alternatives = alternatives(patterns) or return
          return several(alternatives, base, dots, sort) if alternatives.size > 1

          paths = request(alternatives.first, base, dots)&.paths(sort) unless alternatives.empty?
          [paths] if paths
        end

        private

        # @return [Boolean, nil] nil if Ruby has to answer
        def dots(flags, sort)
          return unless flags.instance_of?(Integer) && (flags & ~(IGNORED_FLAGS | DOTS)).zero?
          return false if (flags & DOTS).zero?

          true if sort # unsorted, the file system decides where the folder itself is listed
        end

        # @return [String, nil, false] false if Ruby has to answer
        def base(base)
          return if base.nil?

          base = base.to_path if !base.instance_of?(String) && pathname?(base)
          return false unless base.instance_of?(String) && BASE_ENCODINGS.include?(base.encoding)
          return false if base.b.include?("\0")

          base unless base.empty?
        end

        # Does not load Pathname: the program's own autoload may be loading it, and may call Dir.glob meanwhile.
        def pathname?(base)
          (pathname = Constants.loaded("Pathname")) && base.instance_of?(pathname)
        end

        def alternatives(patterns)
          list = patterns.instance_of?(Array) ? patterns : [patterns]
          return unless list.all? { |one| pattern?(one) } && (list.size == 1 || list.all? { |one| unconverted?(one) })
          return list if list.size == 1 && !braces?(list.first)
          return unless list.any? { |one| one.ascii_only? && one.include?("**/") } # on one level Ruby is as fast

          list.flat_map { |one| braces?(one) ? split(one) : [one] }
        end

        def pattern?(one)
          one.instance_of?(String) && one.encoding.ascii_compatible? && !one.b.include?("\0")
        end

        # Ruby converts the patterns in an Array to the file system's encoding, as all paths, but not one that is alone
        # (dir.c: dir_globs and rb_push_glob; file.c: rb_file_path_convert). So such a list cannot be answered in parts.
        def unconverted?(one)
          one.ascii_only? || Encoding.default_internal.nil? ||
            [Encoding::US_ASCII, Encoding::BINARY, Encoding.find("filesystem")].include?(one.encoding)
        end

        def braces?(pattern) = pattern.ascii_only? && pattern.include?("{")

        def split(pattern) = Braces.alternatives(pattern)

        def request_class = Request

        def several(alternatives, base, dots, sort)
          requests = alternatives.map { |one| request(one, base, dots) }
          return unless requests.any? { |one| one&.deep? }

          shared = shared(requests, sort)
          walked = requests.map { |one| one && (shared[one] || one.paths(sort)) }
          walked.zip(alternatives).map { |paths, pattern| paths || pattern } if walked.any?
        end

        # With FNM_DOTMATCH, only UTF-8 without transcoding: otherwise Ruby's entry "." has another encoding.
        def request(pattern, base, dots)
          return unless ENCODINGS.include?(pattern.encoding) && pattern.ascii_only?
          return if dots && !(pattern.encoding == Encoding::UTF_8 && untranscoded?)

          request_class.read(pattern, base, dots)
        end

        # Answers all patterns that differ only in their endings with one walk, if no path can have two of
        # these endings.
        # @return [Hash{Request => Array<String>}]
        def shared(requests, sort)
          return {} unless untranscoded?

          groups = requests.select { |one| one&.group }.group_by(&:group)
          groups.each_value.with_object({}.compare_by_identity) do |group, found|
            ends = group.flat_map(&:ends)
            paths = group.first.paths(sort, ends) if distinct?(ends)
            next unless paths

            paths = paths.group_by { |path| ends.find { |ending| path.end_with?(ending) } }
            group.each { |one| found[one] = paths[one.ends.first] || [] }
          end
        end

        # Whether Ruby does not change the bytes of names. Rails sets the internal encoding to UTF-8.
        def untranscoded?
          internal = Encoding.default_internal
          internal.nil? || (internal == Encoding::UTF_8 && Encoding.find("filesystem") == Encoding::UTF_8)
        end

        # Whether there are several endings, and no name can have two of them.
        def distinct?(ends)
          ends.size.between?(2, Braces::MAXIMUM) && ends.permutation(2).none? { |one, other| one.end_with?(other) }
        end
      end
    end
  end
end

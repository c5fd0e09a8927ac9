# frozen_string_literal: true

require_relative "../constants"
require_relative "fast_glob/braces"
require_relative "fast_glob/request"

module Frugal
  module Walk
    # What Dir.glob answers, for the patterns that a walk can answer to the letter:
    # a folder's names by their beginning and their end, on its own level or on all;
    # several of them, in braces or in an array; below a base; with dots or without.
    #
    #   FastGlob.parts("lib/**/*.rb")           # => [["lib/a.rb"]]: one walk
    #   FastGlob.parts("{lib,*}/**/*.{rb,erb}") # => [["lib/a.rb"], [], "*/**/*.rb", "*/**/*.erb"]: two are Ruby's
    #   FastGlob.parts("lib/[ab]")              # => nil: Ruby has to answer all
    #   FastGlob.paths("lib/**/*.rb")           # => ["lib/a.rb"]
    #
    # Ruby's own are brackets, "?", escapes, wildcards in the middle of a path,
    # names that begin with a dot, foreign encodings; and whatever a folder could
    # not be read for, as Ruby tells it.
    module FastGlob
      ENCODINGS = [Encoding::UTF_8, Encoding::US_ASCII].freeze
      BASE_ENCODINGS = [*ENCODINGS, Encoding::BINARY].freeze
      # What does not change how these patterns are read: Dir.glob knows no case, and no escape is in them.
      IDLE = File::FNM_NOESCAPE | File::FNM_PATHNAME | File::FNM_CASEFOLD | File::FNM_EXTGLOB
      DOTS = File::FNM_DOTMATCH

      class << self
        # @param patterns [Object] a String, or an Array of them
        # @param sort [Boolean]
        # @param base [Object] nil, a String or a Pathname
        # @param flags [Integer]
        # @return [Array<String>, nil] nil where Ruby has to answer all or a part
        # *Cost*: as {.parts}.
        def paths(patterns, **options)
          parts = parts(patterns, **options) or return
          return parts.first if parts.size == 1

          parts.flatten(1) unless parts.any?(String)
        end

        # The answer in parts, in order. Ruby is not called here: it may warn and then raise,
        # and a second call would warn again.
        #
        # @param (see .paths)
        # @return [Array<Array<String>, String>, nil] paths that a walk found, at least once,
        #   and patterns that Ruby has to answer; nil where Ruby has to answer all
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

        # @return [Boolean, nil] nil: Ruby has to answer
        def dots(flags, sort)
          return unless flags.instance_of?(Integer) && (flags & ~(IDLE | DOTS)).zero?
          return false if (flags & DOTS).zero?

          true if sort # where a folder itself stands in its own list is the file system's affair
        end

        # @return [String, nil, false] false: Ruby has to read it
        def base(base)
          return if base.nil?

          base = base.to_path if !base.instance_of?(String) && pathname?(base)
          return false unless base.instance_of?(String) && BASE_ENCODINGS.include?(base.encoding) && !base.b.include?("\0")

          base unless base.empty?
        end

        # A program may be loading Pathname just now, and its file may glob.
        def pathname?(base)
          (pathname = Constants.loaded("Pathname")) && base.instance_of?(pathname)
        end

        def alternatives(patterns)
          list = patterns.instance_of?(Array) ? patterns : [patterns]
          return unless list.all? { |one| one.instance_of?(String) && one.encoding.ascii_compatible? && !one.b.include?("\0") }
          return list if list.size == 1 && !braces?(list.first)
          return unless list.any? { |one| one.ascii_only? && one.include?("**/") } # several on one level Ruby lists as fast

          list.flat_map { |one| braces?(one) ? Braces.alternatives(one) : [one] }
        end

        def braces?(pattern) = pattern.ascii_only? && pattern.include?("{")

        def several(alternatives, base, dots, sort)
          requests = alternatives.map { |one| request(one, base, dots) }
          return unless requests.any? { |one| one&.deep? }

          shared = shared(requests, sort)
          walked = requests.map { |one| one && (shared[one] || one.paths(sort)) }
          walked.zip(alternatives).map { |paths, pattern| paths || pattern } if walked.any?
        end

        # In US-ASCII, and where strings are transcoded, "." would need thought.
        def request(pattern, base, dots)
          return unless ENCODINGS.include?(pattern.encoding) && pattern.ascii_only?
          return if dots && !(pattern.encoding == Encoding::UTF_8 && Encoding.default_internal.nil?)

          Request.read(pattern, base, dots)
        end

        # One walk for all that differ by their ends only, where each path has one of them.
        # @return [Hash{Request => Array<String>}]
        def shared(requests, sort)
          return {} if Encoding.default_internal

          requests.select { |one| one&.group }.group_by(&:group).each_value.with_object({}.compare_by_identity) do |group, found|
            ends = group.flat_map(&:ends)
            next if ends.size < 2 || ends.size > Braces::MOST || ends.permutation(2).any? { |one, other| one.end_with?(other) }

            paths = group.first.paths(sort, ends) or next
            paths = paths.group_by { |path| ends.find { |ending| path.end_with?(ending) } }
            group.each { |one| found[one] = paths[one.ends.first] || [] }
          end
        end
      end
    end
  end
end

# frozen_string_literal: true

module Frugal
  module Walk
    # What Dir.glob answers, for the patterns that a walk can answer to the letter:
    # a folder's names by their beginning and their end, on its own level or on all.
    #
    #   FastGlob.paths("lib/**/*.rb")   # => Dir.glob("lib/**/*.rb")
    #   FastGlob.paths("lib/{a,b}")     # => nil: that is Ruby's own
    #
    # Ruby's own are braces, brackets, "?", escapes, wildcards in the middle of a
    # path, names that begin with a dot, foreign encodings; and whatever a folder
    # could not be read for, as Ruby tells it.
    module FastGlob
      PATTERN = %r{\A((?:(?!/)|/(?!/))(?:[^*?\[\]{}\\/\0]+/)*)(\*\*/)?((?!\.)[^*?\[\]{}\\/\0]*)\*([^*?\[\]{}\\/\0]*)\z}.freeze
      ENCODINGS = [Encoding::UTF_8, Encoding::US_ASCII].freeze
      # From here on Ruby cannot open a folder, and raises: Linux's own limit, less the NUL.
      PATH_MAX = 4096 - 1
      # What Ruby passes over in silence: it was there a moment ago, or never.
      SILENT = [Errno::ENOENT::Errno, Errno::ENOTDIR::Errno].freeze

      class << self
        # @param pattern [Object]
        # @param sort [Boolean]
        # @return [Array<String>, nil] nil where Ruby has to answer
        # *Cost*: as {Walk#walk}.
        def paths(pattern, sort: true)
          return unless pattern.instance_of?(String) && ENCODINGS.include?(pattern.encoding) && pattern.ascii_only?

          folder, deep, first, last = PATTERN.match(pattern)&.captures
          list(pattern, folder, deep, first, last, sort) if folder
        end

        private

        def list(pattern, folder, deep, first, last, sort)
          tree = Native.engine::Tree.list(root(pattern, folder), {
            sort: sort, depth: deep ? nil : 1, bare: folder.empty?, prefix: first.empty? ? nil : first,
            suffixes: last.empty? ? nil : [last]
          })
          return [] unless tree

          tree.to_a if tree.longest < PATH_MAX && tree.failures.all? { |_, errno| silent?(errno) }
        rescue SystemCallError
          nil
        end

        # In the pattern's encoding, which the paths will have.
        def root(pattern, folder)
          return ".".encode(pattern.encoding) if folder.empty?

          folder == "/" ? folder : folder.delete_suffix("/")
        end

        def silent?(errno)
          SILENT.include?(errno) || (errno == Errno::EACCES::Errno && !$VERBOSE)
        end
      end
    end
  end
end

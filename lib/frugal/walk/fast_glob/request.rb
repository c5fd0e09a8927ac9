# frozen_string_literal: true

module Frugal
  module Walk
    module FastGlob
      # One pattern that a walk can answer: a folder's names by their beginning
      # and their ends, on its own level or on all.
      #
      #   Request.read("lib/**/*.{rb,erb}", nil, false)   # folder "lib/", deep, ends ".rb" and ".erb"
      #   Request.read("lib/*/a", nil, false)             # => nil: that is Ruby's own
      class Request
        PATTERN = %r{\A((?:(?!/)|/(?!/))(?:[^*?\[\]{}\\/\0]+/)*)(?:(\*\*/)((?:[^?\[\]{}\\/\0]|\{[^?\[\]{}\\/\0]*\})+)|([^?\[\]{}\\/\0]+))\z}.freeze
        NAME = /\A((?!\.)[^*]*)\*([^*]*)\z/.freeze
        # From here on Ruby cannot open a folder, and raises: Linux's own limit, less the NUL.
        PATH_MAX = 4096 - 1
        # What Ruby passes over in silence: it was there a moment ago, or never.
        SILENT = [Errno::ENOENT::Errno, Errno::ENOTDIR::Errno].freeze

        # @return [Array<String>] literal ends of the names
        attr_reader :ends

        # @param pattern [String] of ASCII letters
        # @param base [String, nil] what the paths are relative to
        # @param dots [Boolean] whether wildcards match a leading dot
        # @return [Request, nil]
        def self.read(pattern, base, dots)
          match = PATTERN.match(pattern) or return
          folder, deep, below, here = match.captures
          return if base && folder.start_with?("/")

          first, ends = names(below || here)
          return if first.nil? || (dots && !plain?(ends))

          new(folder, deep, first, ends, base, dots, pattern.encoding)
        end

        class << self
          private

          # @return [Array(String, Array<String>), nil] what all begin with, and the ends
          def names(names)
            return (first, last = NAME.match(names)&.captures) && [first, [last]] unless names.include?("{")

            firsts, ends = Braces.expand(names).map { |name| NAME.match(name)&.captures || [nil, nil] }.transpose
            [firsts.first, ends] if firsts.uniq.size == 1
          end

          # ".c" is one of "*.c" where dots are nothing special, and "." of "*.".
          def plain?(ends) = ends.size == 1 && !ends.first.start_with?(".")
        end

        def initialize(folder, deep, first, ends, base, dots, encoding)
          @folder = folder
          @deep = deep
          @first = first
          @ends = ends
          @base = base
          @dots = dots
          @encoding = encoding
        end

        # Whether it looks on all levels.
        def deep? = !@deep.nil?

        # Whether others of this group are answered by the same walk: they differ by their ends.
        def group = (@group ||= [@folder, @deep, @encoding] if @first.empty? && @ends.size == 1 && @ends != [""])

        # Whether Ruby tells the folder itself too, as "lib/."
        def self? = @dots && @first.empty? && @ends == [""]

        # @param ends [Array<String>] of the names that are wanted
        # @return [Array<String>, nil] nil where Ruby has to answer
        # *Cost*: as {Walk#walk}.
        def paths(sort, ends = @ends)
          tree = Native.engine::Tree.list(root, {
            sort: sort, hidden: @dots, depth: @deep ? nil : 1, cut: cut, prefix: @first.empty? ? nil : @first,
            suffixes: ends == [""] ? nil : ends
          })
          return [] unless tree
          return unless tree.longest < PATH_MAX - slack && tree.failures.all? { |_, errno| silent?(errno) }

          self? ? with_self(tree.to_a) : tree.to_a
        rescue SystemCallError
          nil
        end

        private

        # In the pattern's encoding, which the paths will have.
        def root
          folder = @folder == "/" ? @folder : @folder.delete_suffix("/")
          return folder unless above

          (folder.empty? ? above.empty? ? "/" : above : "#{above}/#{folder}".b).dup.force_encoding(@encoding)
        end

        # What is in front of the folder, without its slash; nil: nothing.
        def above
          @base ? @above ||= @base.b.sub(%r{/+\z}n, "") : ("." if @folder.empty?)
        end

        # Bytes of that, in front of each path.
        def cut = above ? above.bytesize + 1 : 0

        # Ruby puts a base's own slashes in front of a path, and one more.
        def slack = @base ? @base.bytesize + 1 : 0

        # Among its own entries, at its place.
        def with_self(paths)
          at = @folder.bytesize
          paths.insert(paths.index { |path| path.getbyte(at) >= 0x2E } || -1, "#{@folder}.")
        end

        def silent?(errno)
          SILENT.include?(errno) || (errno == Errno::EACCES::Errno && !$VERBOSE)
        end
      end
    end
  end
end

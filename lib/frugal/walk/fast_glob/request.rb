# frozen_string_literal: true

module Frugal
  module Walk
    module FastGlob
      # One pattern that a walk can answer: names with a given beginning and one of several
      # endings, in one folder or in all folders below it.
      #
      #   Request.read("lib/**/*.{rb,erb}", nil, false)   # folder "lib/", deep, endings ".rb" and ".erb"
      #   Request.read("lib/*/a", nil, false)             # => nil: Ruby has to answer
      class Request
        # The literal folder; then "**/" and a name that may have braces, or a name without braces.
        PATTERN = %r{\A((?:(?!/)|/(?!/))(?:[^*?\[\]{}\\/\0]+/)*)
                     (?:(\*\*/)((?:[^?\[\]{}\\/\0]|(\{(?:[^?\[\]{}\\/\0]|\g<4>)*\}))+)|([^?\[\]{}\\/\0]+))\z}x
        NAME = /\A((?!\.)[^*]*)\*([^*]*)\z/
        # Ruby cannot open a folder with a path of this length, and raises: Linux's limit without the NUL.
        PATH_MAX = 4096 - 1
        # Errors of a folder that Ruby ignores.
        IGNORED = [Errno::ENOENT::Errno, Errno::ENOTDIR::Errno].freeze

        # @return [Array<String>] literal endings of the names
        attr_reader :ends

        # @param pattern [String] ASCII only
        # @param base [String, nil] the folder to which the paths are relative
        # @param dots [Boolean] whether wildcards match a leading dot
        # @return [Request, nil]
        def self.read(pattern, base, dots)
          match = PATTERN.match(pattern) or return
          folder, deep, below, _, here = match.captures
          return if base && folder.start_with?("/")

          first, ends = names(below || here)
          return if first.nil? || (dots && !dotless?(ends))

          new(folder, deep, first, ends, base, dots, pattern.encoding)
        end

        class << self
          private

          # @return [Array(String, Array<String>), nil] the common beginning, and the endings
          def names(names)
            return (first, last = NAME.match(names)&.captures) && [first, [last]] unless names.include?("{")

            all = Braces.expand(names) or return
            firsts, ends = all.map { |name| NAME.match(name)&.captures || [nil, nil] }.transpose
            [firsts.first, ends] if firsts.uniq.size == 1
          end

          # With FNM_DOTMATCH "*.c" matches the name ".c", and "*." matches ".": Ruby has to answer these.
          def dotless?(ends) = ends.size == 1 && !ends.first.start_with?(".")
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

        # Whether it lists all folders below.
        def deep? = !@deep.nil?

        # Requests of the same group differ only in their endings, and one walk can answer all of them.
        #
        # @return [Array, nil] nil if it belongs to no group
        def group = (@group ||= [@folder, @deep, @encoding] if @first.empty? && @ends.size == 1 && @ends != [""])

        # Whether Ruby lists the folder itself, too, as "lib/.".
        def lists_folder? = @dots && @first.empty? && @ends == [""]

        # @param ends [Array<String>] the endings of the names to list
        # @return [Array<String>, nil] nil if Ruby has to answer
        # *Cost*: as {Walk#walk}.
        def paths(sort, ends = @ends)
          tree = Native.engine::Tree.list(root, options(ends).update(sort: sort))
          return [] unless tree
          return unless tree.longest < PATH_MAX - base_bytes && tree.failures.all? { |_, errno| ignored?(errno) }

          lists_folder? ? with_folder(tree.to_a) : tree.to_a
        rescue SystemCallError => e
          raise if Native.engine.interruption?(e)
        end

        private

        # @return [Hash] the options of the engine's Tree
        def options(ends)
          { hidden: @dots, depth: @deep ? nil : 1, cut: cut,
            prefix: @first.empty? ? nil : @first, suffixes: ends == [""] ? nil : ends }
        end

        # The walk's root, in the pattern's encoding, so that the paths get it, too.
        def root
          folder = @folder == "/" ? @folder : @folder.delete_suffix("/")
          return folder unless above

          absolute = if folder.empty?
                       above.empty? ? "/" : above
                     else
                       "#{above}/#{folder}".b
                     end
          absolute.dup.force_encoding(@encoding)
        end

        # The path to which the folder is relative, without its last slash; nil for none.
        def above
          @base ? @above ||= @base.b.sub(%r{/+\z}n, "") : ("." if @folder.empty?)
        end

        # How many bytes to remove from the beginning of each path.
        def cut = above ? above.bytesize + 1 : 0

        # How many bytes of a base Ruby puts before a path: the base as it is, and a slash.
        def base_bytes = @base ? @base.bytesize + 1 : 0

        # Inserts the folder itself where Ruby sorts it.
        def with_folder(paths)
          at = @folder.bytesize
          paths.insert(paths.index { |path| path.getbyte(at) >= 0x2E } || -1, "#{@folder}.")
        end

        def ignored?(errno)
          IGNORED.include?(errno) || (errno == Errno::EACCES::Errno && !$VERBOSE)
        end
      end
    end
  end
end

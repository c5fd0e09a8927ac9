# frozen_string_literal: true

module Frugal
  module Dropin
    module Rake
      # For Rake::FileList: filters names in one pass, without matching Rake's default patterns against each, if no
      # block excludes names.
      module FileList
        def resolve
          return self unless @pending

          items, error = or_stock(nil) { frugal_items(@items, @pending_add) }
          @pending = false
          @pending_add = [] unless error
          @items.replace(items) unless items == @items
          error ? raise(error) : self
        end

        private

        def resolve_exclude
          items, = or_stock(nil) { frugal_items(@items, []) }
          @items.replace(items) unless items.size == @items.size
          self
        end

        # Computes the items without changing the list.
        #
        # @return [Array(Array<String>, Exception), nil] the new items, and the error of a pattern that Ruby could
        #   not list: then the items are those before this pattern. Nil if Rake has to resolve the list.
        def frugal_items(items, added)
          excluded = FileList.excluded(self, @exclude_patterns, @exclude_procs)
          return unless excluded && items.instance_of?(Array)

          all = items.dup
          error = frugal_add(added, all, excluded)
          return [all, error] if error

          kept = FileList.keep(all, excluded)
          [kept] if kept
        end

        # Adds the files that patterns match, and literal names.
        #
        # @return [StandardError, nil] of the first pattern that could not be listed
        def frugal_add(added, all, excluded)
          return all.concat(added) && nil if FileList.literal?(added)

          added.each do |name|
            found = frugal_expand(name, excluded)
            return found if found.is_a?(StandardError)

            all.concat(found)
          end
          nil
        end

        # @return [Array<String>, StandardError] the files that a pattern matches, or the literal name
        def frugal_expand(name, excluded)
          return [name] unless ::Rake::FileList::GLOB_PATTERN === name

          found = FileList.glob(name)
          return found if found.is_a?(StandardError)

          FileList.keep(found, excluded) || found.reject { |file| excluded_from_list?(file) }
        end

        # Methods that Rake's own resolve calls and this one does not.
        METHODS = %i[<< resolve_add add_matching excluded_from_list? reject! import].freeze
        # Ruby's own methods of which the same is true. The program may redefine, remove or undefine any of them,
        # so they are checked at each use.
        CORE = { ::String => %i[=~ == === <=> respond_to?], ::Regexp => %i[=== =~], ::Proc => %i[call],
                 ::Array => %i[<< sort reject! concat include?],
                 ::File.singleton_class => %i[directory? fnmatch?] }.freeze

        ENCODINGS = [::Encoding::UTF_8, ::Encoding::US_ASCII].freeze
        private_constant :ENCODINGS

        # Shared by the methods above. Not mixed into Rake's class.
        class << self
          # Remembers Rake's methods and default patterns before anything is replaced.
          #
          # @param folder [String] Rake's own, with its last slash
          def prepare(folder)
            @patterns = ::Rake::FileList::DEFAULT_IGNORE_PATTERNS.dup
            @procs = ::Rake::FileList::DEFAULT_IGNORE_PROCS.dup
            @native = Native.engine
            @glob = ::Rake::FileList.method(:glob)
            @pathname = ::Rake.method(:from_pathname)
            singletons = [[::Rake::FileList, :glob], [::Rake, :from_pathname]]
            own = METHODS + %i[resolve resolve_exclude]
            @changed = own.any? { |name| !Guard.pristine?(::Rake::FileList, name, folder) } ||
                       singletons.any? { |owner, name| !Guard.pristine?(owner.singleton_class, name, folder) }
          end

          # Remembers the methods of Rake's class once frugal's are in it, so that later changes are detected.
          def installed
            @names = @changed ? [] : METHODS + %i[resolve resolve_exclude]
            @methods = @names.map { |name| ::Rake::FileList.instance_method(name) }
          end

          # Lists a pattern. Rake sorts the whole result, which Dir.glob has sorted directory by directory.
          #
          # @return [Array<String>, StandardError] the error of the listing, which Rake must not repeat, or Ruby
          #   would warn twice about a folder that cannot be read
          def glob(pattern)
            method = dir_glob if same_method?(::Rake::FileList, @glob)
            found = (Walk::FastGlob.paths(pattern) if method && replaceable?(method)) || stock_glob(pattern, method)
            found.is_a?(Array) && method && !@native.sorted?(found) ? found.sort : found
          end

          # @return [Array(Hash, Array), nil] what is excluded besides Rake's default patterns: names, and regular
          #   expressions and globs; nil if there is something else
          def excluded(list, patterns, procs)
            return unless stock_list?(list) && stock_core?
            return unless identical?(procs, @procs) && identical?(patterns.first(@patterns.size), @patterns)

            names, others = patterns.drop(@patterns.size).partition { |pattern| literal_name?(pattern) }
            [names.to_h { |name| [name, true] }, others] if others.all? { |one| plain_regexp?(one) || glob?(one) }
          end

          # @return [Array<String>, nil] the names that are not excluded; nil for a name that only Rake can check
          def keep(names, excluded)
            @native.keep_names(names, *excluded) if names.instance_of?(Array)
          end

          # @return [Boolean] whether nothing has to be listed
          def literal?(names) = names.instance_of?(Array) && @native.literal?(names)

          private

          # If Dir.glob was removed, the error has to name Rake's line.
          def stock_glob(pattern, method)
            method ? ::Dir.glob(pattern) : ::Rake::FileList.glob(pattern)
          rescue StandardError => e
            e
          end

          # @return [Method, nil] nil if the program has removed it, or hidden it
          def dir_glob
            ::Dir.public_method(:glob)
          rescue NameError
            nil
          end

          # Whether Dir.glob is Ruby's own, or the one of the drop-in for Dir. A replacement by a library, such as
          # FakeFS, must be called.
          def replaceable?(method)
            file, = method.source_location
            Native.engine_name == :c && method.owner.equal?(::Dir.singleton_class) && method.original_name == :glob &&
              (file == "<internal:dir>" || file&.start_with?(Frames::FRUGAL))
          end

          # Whether the stock methods are in place, with which Rake.from_pathname does not change names.
          def stock_core?
            !@changed && CORE.all? { |owner, names| @native.core?(owner, *names) } &&
              same_method?(::Rake, @pathname) && !::String.method_defined?(:to_path)
          end

          # Whether a method is still the given one; false if it was removed.
          def same_method?(owner, method)
            owner.method(method.name) == method
          rescue NameError
            false
          end

          # Whether the program has redefined no method, neither in the class nor for this list.
          def stock_list?(list)
            list.instance_of?(::Rake::FileList) && list.singleton_methods.empty? &&
              @native.same?(::Rake::FileList, @names, @methods)
          rescue NameError
            false
          end

          def identical?(these, those)
            these.size == those.size && these.each_with_index.all? { |item, i| item.equal?(those[i]) }
          end

          def literal_name?(pattern)
            pattern.instance_of?(String) && pattern.valid_encoding? && !::Rake::FileList::GLOB_PATTERN.match?(pattern)
          end

          def glob?(pattern)
            pattern.instance_of?(String) && ENCODINGS.include?(pattern.encoding) && pattern.valid_encoding?
          end

          # Whether a pattern is a Regexp that is not in ASCII-8BIT: Ruby warns if such a Regexp meets a name in
          # UTF-8.
          def plain_regexp?(pattern)
            pattern.instance_of?(Regexp) && ENCODINGS.include?(pattern.encoding) &&
              (pattern.options & Regexp::NOENCODING).zero? && pattern.singleton_methods.empty?
          end
        end
      end
    end
  end
end

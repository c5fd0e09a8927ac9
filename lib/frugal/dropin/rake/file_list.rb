# frozen_string_literal: true

module Frugal
  module Dropin
    module Rake
      # In Rake::FileList: filters names in one pass, without matching a regular
      # expression for each, where the patterns to exclude are Rake's default ones and
      # literal names. Rake handles globs, regular expressions and blocks to exclude.
      module FileList
        def resolve
          return self unless @pending

          items, error = frugal_items(@items, @pending_add)
          return frugal_stock_resolve unless items

          @pending = false
          @pending_add = [] unless error
          @items.replace(items) unless items == @items
          error ? raise(error) : self
        end

        private

        def resolve_exclude
          items, = frugal_items(@items, [])
          return frugal_stock_resolve_exclude unless items

          @items.replace(items) unless items.size == @items.size
          self
        end

        # Does not change the list.
        #
        # @return [Array(Array<String>, Exception), nil] the new items, and the error of a pattern that Ruby could
        #   not list: then the items are those before this pattern. Nil where Rake has to resolve the list.
        def frugal_items(items, added)
          excluded = FileList.excluded_names(self, @exclude_patterns, @exclude_procs)
          return unless excluded && items.instance_of?(Array)

          all = items.dup
          added.each do |name|
            found = frugal_expand(name, excluded)
            return [all, found] if found.is_a?(StandardError)

            all.concat(found)
          end
          kept = FileList.keep(all, excluded)
          [kept] if kept
        rescue OwnFailure
          nil # Rake resolves the list, and raises its own error if there is one
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

          # Remembers the methods of Rake's class once frugal's are in it. Later changes of them are noticed.
          def installed
            @names = @changed ? [] : METHODS + %i[resolve resolve_exclude]
            @methods = @names.map { |name| ::Rake::FileList.instance_method(name) }
          end

          # Rake sorts again what Dir.glob has already sorted, directory by directory.
          #
          # @return [Array<String>, StandardError] the error of the listing, which Rake must not repeat, or Ruby
          #   would warn twice about a folder that cannot be read
          def glob(pattern)
            stock = same_method?(::Rake::FileList, @glob)
            found = (Walk::FastGlob.paths(pattern) if stock && dir_glob_replaceable?) || stock_glob(pattern, stock)
            found.is_a?(Array) && stock && !@native.sorted?(found) ? found.sort : found
          end

          # @return [Hash, nil] the names to exclude besides Rake's default patterns; nil where
          #   there are other patterns than the default ones and literal names
          def excluded_names(list, patterns, procs)
            return unless stock_list?(list) && stock_core?
            return unless identical?(procs, @procs) && identical?(patterns.first(@patterns.size), @patterns)

            patterns.drop(@patterns.size).to_h { |pattern| literal?(pattern) ? [pattern, true] : (return nil) }
          end

          # @return [Array<String>, nil] the names that are not excluded; nil for a name that only Rake can check
          def keep(names, excluded)
            @native.keep_names(names, excluded) if names.instance_of?(Array)
          end

          private

          def stock_glob(pattern, stock)
            stock ? ::Dir.glob(pattern) : ::Rake::FileList.glob(pattern)
          rescue StandardError => e
            e
          end

          # Whether Dir.glob is Ruby's own, or that of the drop-in for Dir. One that a library has put there, such as
          # FakeFS, must be called.
          def dir_glob_replaceable?
            return false unless Native.engine_name == :c

            method = ::Dir.method(:glob)
            file, = method.source_location
            method.owner.equal?(::Dir.singleton_class) && method.original_name == :glob &&
              (file == "<internal:dir>" || file&.start_with?(Frames::FRUGAL))
          rescue NameError
            false
          end

          # Whether names need not be converted by Rake.from_pathname again.
          def stock_core?
            !@changed && CORE.all? { |owner, names| @native.core?(owner, *names) } &&
              same_method?(::Rake, @pathname) && !::String.method_defined?(:to_path)
          end

          # Whether a method is still the given one. A method that was removed is not.
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

          def literal?(pattern)
            pattern.instance_of?(String) && pattern.valid_encoding? && !::Rake::FileList::GLOB_PATTERN.match?(pattern)
          end
        end
      end
    end
  end
end

# frozen_string_literal: true

module Frugal
  module Dropin
    module Rake
      # In Rake::FileList: names are filtered in one pass and without a regular
      # expression each, where the patterns are Rake's default ones and plain
      # names. Globs, regular expressions and blocks to exclude are Rake's.
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

        # @return [Array(Array<String>, Exception), nil] what the list becomes, and the error of a
        #   pattern that Ruby could not list: with it goes what was listed before. Nil where Rake
        #   has to tell. The list is as it was.
        def frugal_items(items, added)
          excluded = FileList.excluded_names(self, @exclude_patterns, @exclude_procs)
          return unless excluded && items.instance_of?(Array)

          all = items.dup
          added.each do |name|
            found = frugal_found(name, excluded)
            return [all, found] if found.is_a?(StandardError)

            all.concat(found)
          end
          kept = FileList.keep(all, excluded)
          [kept] if kept
        rescue OwnFailure
          nil # whatever it is, Rake has the words for it
        end

        # @return [Array<String>, StandardError]
        def frugal_found(name, excluded)
          return [name] unless ::Rake::FileList::GLOB_PATTERN === name

          found = FileList.glob(name)
          return found if found.is_a?(StandardError)

          FileList.keep(found, excluded) || found.reject { |file| excluded_from_list?(file) }
        end

        # What Rake's own resolve calls, and we do not.
        METHODS = %i[<< resolve_add add_matching excluded_from_list? reject! import].freeze
        # The same of Ruby's own. They are asked for at each use: the program may redefine, remove or undefine any.
        CORE = { ::String => %i[=~ == === <=> respond_to?], ::Regexp => %i[=== =~], ::Proc => %i[call],
                 ::Array => %i[<< sort reject! concat include?],
                 ::File.singleton_class => %i[directory? fnmatch?] }.freeze

        # What the methods above share; not mixed into Rake's class.
        class << self
          # @param folder [String] Rake's
          def begin(folder)
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

          # Rake's class has our methods now. From here on, changes count.
          def installed
            names = @changed ? [] : METHODS + %i[resolve resolve_exclude]
            @methods = names.map { |name| ::Rake::FileList.instance_method(name) }
          end

          # Rake sorts what Dir.glob has sorted, directory by directory.
          # @return [Array<String>, StandardError] an error that is not ours: Rake must not ask
          #   again, or Ruby would warn twice of a folder that cannot be read
          def glob(pattern)
            rakes = same?(::Rake::FileList, @glob)
            found = (Walk::FastGlob.paths(pattern) if rakes && walks?) || stock_glob(pattern, rakes)
            found.is_a?(Array) && rakes && !@native.sorted?(found) ? found.sort : found
          end

          # @return [Hash, nil] the names to leave out beside Rake's default
          #   patterns; nil where they are not the default ones and names
          def excluded_names(list, patterns, procs)
            return unless plain?(list) && untouched?
            return unless identical?(procs, @procs) && identical?(patterns.first(@patterns.size), @patterns)

            patterns.drop(@patterns.size).to_h { |pattern| name?(pattern) ? [pattern, true] : (return nil) }
          end

          def keep(names, excluded)
            @native.keep_names(names, excluded) if names.instance_of?(Array)
          end

          private

          def stock_glob(pattern, rakes)
            rakes ? ::Dir.glob(pattern) : ::Rake::FileList.glob(pattern)
          rescue StandardError => e
            e
          end

          # Whoever replaces Dir.glob, as FakeFS does, must be asked. It is Ruby's own, or that of the drop-in for Dir.
          def walks?
            return false unless Native.engine_name == :c

            method = ::Dir.method(:glob)
            file, = method.source_location
            method.owner.equal?(::Dir.singleton_class) && method.original_name == :glob &&
              (file == "<internal:dir>" || file&.start_with?(Frames::OURS))
          rescue NameError
            false
          end

          # Names need not go through Rake.from_pathname again.
          def untouched?
            !@changed && CORE.all? { |owner, names| @native.core?(owner, *names) } &&
              same?(::Rake, @pathname) && !::String.method_defined?(:to_path)
          end

          # Is it still that method? One that was removed is not.
          def same?(owner, method)
            owner.method(method.name) == method
          rescue NameError
            false
          end

          # Users redefine these, in the class or on one list.
          def plain?(list)
            list.instance_of?(::Rake::FileList) && list.singleton_methods.empty? &&
              @methods.all? { |method| ::Rake::FileList.instance_method(method.name) == method }
          rescue NameError
            false
          end

          def identical?(these, those)
            these.size == those.size && these.each_with_index.all? { |item, i| item.equal?(those[i]) }
          end

          def name?(pattern)
            pattern.instance_of?(String) && pattern.valid_encoding? && !::Rake::FileList::GLOB_PATTERN.match?(pattern)
          end
        end
      end
    end
  end
end

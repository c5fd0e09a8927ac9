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

          excluded = FileList.excluded_names(self, @exclude_patterns, @exclude_procs)
          return frugal_stock_resolve unless excluded && @items.instance_of?(Array)

          @pending = false
          @pending_add.each { |name| frugal_add(name, excluded) }
          @pending_add = []
          frugal_reject(excluded)
          self
        end

        private

        def resolve_exclude
          excluded = FileList.excluded_names(self, @exclude_patterns, @exclude_procs)
          return frugal_stock_resolve_exclude unless excluded && @items.instance_of?(Array)

          frugal_reject(excluded)
          self
        end

        def frugal_add(name, excluded)
          case name
          when ::Rake::FileList::GLOB_PATTERN
            found = FileList.glob(name)
            kept = FileList.keep(found, excluded)
            kept ? @items.concat(kept) : found.each { |file| @items << file unless excluded_from_list?(file) }
          else
            @items << name
          end
        end

        def frugal_reject(excluded)
          kept = FileList.keep(@items, excluded)
          return frugal_stock_resolve_exclude unless kept

          @items.replace(kept) unless kept.size == @items.size
        end

        # What Rake's own resolve calls, and we do not.
        METHODS = %i[<< resolve_add add_matching excluded_from_list? reject!].freeze

        # What the methods above share; not mixed into Rake's class.
        class << self
          def begin
            @patterns = ::Rake::FileList::DEFAULT_IGNORE_PATTERNS.dup
            @procs = ::Rake::FileList::DEFAULT_IGNORE_PROCS.dup
            @native = Native.engine
            @methods = METHODS.map { |name| ::Rake::FileList.instance_method(name) }
            @glob = ::Rake::FileList.method(:glob)
          end

          # Rake sorts what Dir.glob has sorted, directory by directory.
          def glob(pattern)
            return ::Rake::FileList.glob(pattern) unless ::Rake::FileList.method(:glob) == @glob

            found = (Walk::FastGlob.paths(pattern) if walks?) || ::Dir.glob(pattern)
            @native.sorted?(found) ? found : found.sort
          end

          # @return [Hash, nil] the names to leave out beside Rake's default
          #   patterns; nil where they are not the default ones and names
          def excluded_names(list, patterns, procs)
            return unless plain?(list) && same?(procs, @procs) && same?(patterns.first(@patterns.size), @patterns)

            patterns.drop(@patterns.size).to_h { |pattern| name?(pattern) ? [pattern, true] : (return nil) }
          end

          def keep(names, excluded)
            @native.keep_names(names, excluded) if names.instance_of?(Array)
          end

          private

          # Whoever replaces Dir.glob, as FakeFS does, must be asked.
          def walks?
            file, = ::Dir.method(:glob).source_location
            Native.engine_name == :c && (file == "<internal:dir>" || file&.start_with?(Frames::OURS))
          end

          # Users redefine these, in the class or on one list.
          def plain?(list)
            list.instance_of?(::Rake::FileList) && list.singleton_methods.empty? &&
              @methods.all? { |method| ::Rake::FileList.instance_method(method.name) == method }
          end

          def same?(these, those)
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

# frozen_string_literal: true

require_relative "../../native"

module Frugal
  module Dropin
    module Fileutils
      # The native operations on trees, and the checks whether they may be used. If a check fails, FileUtils' own method
      # has to do the work.
      module Trees
        # FileUtils 1.6 stops at a directory that cannot be read, and its remove_entry
        # returns the entries of the directory.
        OLD = !Guard.version_in?(::FileUtils::VERSION, "1.7".."1.8")
        # Stock has to do the work.
        STOCK = ::Object.new.freeze
        # What {remove} has removed; `with_rest(result)` returns the result of remove_entry when stock has removed the
        # rest.
        Removed = Struct.new(:entries) do
          def with_rest(result) = (entries if result.instance_of?(Array))
        end
        ENCODINGS = [Encoding::UTF_8, Encoding::BINARY].freeze
        MODES = (0..0o7777)
        # JRuby's own methods resolve some paths to other files than the kernel does.
        DECODES = Native.engine.respond_to?(:stock_path?)
        NATIVE = Native.engine
        FILE = ::File
        OF_FILE = FILE.singleton_class
        private_constant :OLD, :ENCODINGS, :MODES, :DECODES, :NATIVE, :FILE, :OF_FILE

        class << self
          # @param caller [Module, Object] the receiver of mkdir_p
          # @return [Boolean] whether the directory exists now; if not, stock has to make it
          def make(caller, path, mode)
            # A test's stub may count its calls, and stock would call it once more. For a directory that exists, no hook
            # is compared.
            return false unless FILE.equal?(::File) && NATIVE.core?(OF_FILE, :directory?)

            path = path.chomp("/") unless path == "/"
            return true if FILE.directory?(path)

            valid_mode?(mode) && usable?(path) && Hooks::MAKE.intact? &&
              Guard.defined_in?(::Kernel.instance_method(:method).bind_call(caller, :fu_mkdir), Hooks::FOLDER) &&
              Native.engine.make_directories(path, mode)
          end

          # @return [Boolean] whether all directories exist now
          def make_all(caller, paths, mode)
            return make(caller, paths.first, mode) if paths.size == 1

            paths.all? { |path| make(caller, path, mode) }
          end

          # @return [Object] the result of remove_entry; {STOCK} if stock has to remove the entry, a {Removed} if it has
          #   to remove the rest
          def remove(path, force)
            return STOCK unless usable?(path) && Hooks::REMOVE.intact? && !through_itself?(path)
            return remove_old(path, force) if OLD

            removed = Native.engine.remove_tree(path, force, true, nil)
            removed.equal?(false) ? STOCK : removed
          end

          # @return [Object] the result of remove_file; {STOCK} if stock has to remove the file
          def unlink(path, force)
            force && usable?(path) && Hooks::UNLINK.intact? ? Native.engine.unlink(path) : STOCK
          end

          # Whether a copy can be native: the encodings of both paths are compatible, and the
          # destination is not inside the source (stock compares the expanded path of each entry).
          def copies?(src, dest)
            return false unless usable?(src) && usable?(dest) && (dest.ascii_only? || dest.encoding == src.encoding)
            return false if home?(src) || home?(dest)

            !within?(::File.expand_path(dest), ::File.expand_path(src)) && Hooks::COPY.intact?
          rescue SystemCallError # the current directory was removed
            false
          end

          # @return [TreeCopy, nil] nil if stock has to copy
          def copy_of(src, dest)
            Native.engine::TreeCopy.new(src, dest) if copies?(src, dest)
          end

          # Copies until an entry that stock has to copy.
          #
          # @return [FileUtils::Entry_, nil] nil at the end
          def next_entry(copy, src)
            path = copy.next
            path && ::FileUtils::Entry_.new(src, path.empty? ? nil : encode(path, src), false)
          end

          private

          # For {OLD} versions: returns the entries as they were before stock removed the rest.
          def remove_old(path, force)
            removed = Native.engine.remove_tree(path, force, false, names = [])
            entries = names.map { |name| ::FileUtils::Entry_.new(path, encode(name, path)) }
            return entries.empty? ? STOCK : Removed.new(entries) if removed.equal?(false)
            return unless removed.instance_of?(Array)

            entries.empty? ? removed : entries
          end

          def valid_mode?(mode) = mode.nil? || (mode.instance_of?(Integer) && MODES.cover?(mode))

          # Whether no name at or below this path is ever transcoded, so that its bytes are the file's name.
          def usable?(path)
            path.instance_of?(String) && Encoding.default_internal.nil? && usable_encoding?(path) &&
              !path.include?("\0") && !(DECODES && Native.engine.stock_path?(path))
          end

          def usable_encoding?(path)
            ENCODINGS.include?(path.encoding) || (path.encoding == Encoding::US_ASCII && path.ascii_only?)
          end

          # Gives a name the encoding that Dir.children gives it. The Java engine has already done that.
          def encode(name, path)
            return name if DECODES

            name.force_encoding(path.encoding)
            name.encoding == Encoding::US_ASCII && !name.ascii_only? ? name.force_encoding(Encoding::BINARY) : name
          end

          # Whether a path goes up with ".." from inside the directory that it names, such as
          # "a/b/..". FileUtils can no longer resolve it after the first removal, and
          # leaves the rest.
          def through_itself?(path)
            return false unless path.include?("..")

            path = path.b
            path.enum_for(:scan, %r{(?<![^/])\.\.(?![^/])}).any? do
              way = $~.pre_match
              within?(::File.absolute_path(way.empty? ? "." : way), ::File.absolute_path(path))
            end
          rescue SystemCallError # the current directory was removed
            true
          end

          # Whether FileUtils, which expands paths, may take a name that begins with "~" for a
          # home directory: the path itself, or any entry of ".".
          def home?(path) = path.start_with?("~") || path == "."

          def within?(inner, outer) = outer == "/" || inner == outer || inner.start_with?("#{outer}/")
        end
      end
    end
  end
end

# frozen_string_literal: true

require_relative "../../native"

module Frugal
  module Dropin
    module Fileutils
      # The native operations on trees, and the checks whether they may be used. If not,
      # FileUtils' own method has to do the work.
      module Trees
        # FileUtils 1.6 stops at a directory that cannot be read, and its remove_entry
        # returns the entries of the directory.
        OLD = !Guard.version_in?(::FileUtils::VERSION, "1.7".."1.8")
        ENCODINGS = [Encoding::UTF_8, Encoding::BINARY].freeze
        MODES = (0..0o7777)
        # JRuby's own methods take some paths for those of other files than the kernel does.
        DECODES = Native.engine.respond_to?(:stock_path?)
        private_constant :OLD, :ENCODINGS, :MODES, :DECODES

        class << self
          # @param caller [Module, Object] the receiver of mkdir_p
          # @return [Boolean] whether the directory exists now; if not, stock has to make it
          def make(caller, path, mode)
            # A test's stub may count its calls, and stock calls it again.
            return false unless Guard.core?(::File.singleton_class, :directory?)

            path = path.chomp("/") unless path == "/"
            return true if ::File.directory?(path)

            valid_mode?(mode) && usable?(path) && Hooks::MAKE.intact? &&
              Guard.defined_in?(::Kernel.instance_method(:method).bind_call(caller, :fu_mkdir), Hooks::FOLDER) &&
              Native.engine.make_directories(path, mode)
          end

          # @yield calls stock for what the native code has not removed
          # @return [Object] the result of remove_entry
          def remove(path, force, &stock)
            return yield unless usable?(path) && Hooks::REMOVE.intact? && !through_itself?(path)
            return remove_old(path, force, &stock) if OLD

            removed = Native.engine.remove_tree(path, force, true, nil)
            removed.equal?(false) ? yield : removed
          end

          def unlinks?(path) = usable?(path) && Hooks::UNLINK.intact?

          # Whether a copy can be native: the encodings of both paths are compatible, and the
          # destination is not inside the source (stock compares the expanded path of each entry).
          def copies?(src, dest)
            return false unless usable?(src) && usable?(dest) && (dest.ascii_only? || dest.encoding == src.encoding)
            return false if home?(src) || home?(dest)

            !within?(::File.expand_path(dest), ::File.expand_path(src)) && Hooks::COPY.intact?
          rescue SystemCallError # the current directory was removed
            false
          end

          # @return [nil] the result of copy_entry
          def copy(src, dest)
            copy = Native.engine::TreeCopy.new(src, dest)
            put = ->(entry) { entry.copy(::FileUtils::Entry_.new(dest, entry.rel, false).path) }
            while (path = copy.next)
              rel = path.empty? ? nil : encode(path, src)
              ::FileUtils::Entry_.new(src, rel, false).wrap_traverse(put, ->(_) {})
            end
          ensure
            copy&.close
          end

          private

          # For {OLD} versions: returns the entries as they were before stock removed the rest.
          def remove_old(path, force)
            removed = Native.engine.remove_tree(path, force, false, names = [])
            removed = yield if removed.equal?(false)
            return unless removed.instance_of?(Array)

            names.empty? ? removed : names.map { |name| ::FileUtils::Entry_.new(path, encode(name, path)) }
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

          # Gives a name the encoding that Dir.children gives it. The Java engine has done so.
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

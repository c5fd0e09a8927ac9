# frozen_string_literal: true

require_relative "../../native"

module Frugal
  module Dropin
    module Fileutils
      # What may be done natively, and how far: each answers false, or nothing,
      # where it is FileUtils' turn.
      module Trees
        # FileUtils 1.6 gives a walk up at a directory that may not be read, and
        # answers remove_entry with the entries of a directory.
        OLD = !Guard.version_in?(::FileUtils::VERSION, "1.7".."1.8")
        PLAIN = [Encoding::UTF_8, Encoding::BINARY].freeze
        MODES = (0..0o7777).freeze
        private_constant :OLD, :PLAIN, :MODES

        class << self
          # @param caller [Module, Object] whose mkdir_p it is
          # @return [Boolean] whether the directory is there now
          def make(caller, path, mode)
            path = path.chomp("/") unless path == "/"
            return true if ::File.directory?(path)

            (mode.nil? || (mode.instance_of?(Integer) && MODES.cover?(mode))) && plain?(path) && Hooks::MAKE.untouched? &&
              ::Kernel.instance_method(:method).bind_call(caller, :fu_mkdir).source_location.first.start_with?(Hooks::FOLDER) &&
              Native.engine.make_directories(path, mode)
          end

          # @yield stock, for what is left
          # @return [Object] what remove_entry answers
          def remove(path, force, &stock)
            return yield unless plain?(path) && Hooks::REMOVE.untouched? && !through_itself?(path)
            return remove_old(path, force, &stock) if OLD

            removed = Native.engine.remove_tree(path, force, true, nil)
            removed.equal?(false) ? yield : removed
          end

          def unlinks?(path) = plain?(path) && Hooks::UNLINK.untouched?

          # Whether the names of both trees fit together, and neither is in the
          # other: that stock tells from the expanded paths, one by one.
          def copies?(src, dest)
            return false unless plain?(src) && plain?(dest) && (dest.ascii_only? || dest.encoding == src.encoding)
            return false if homes?(src) || homes?(dest)

            !within?(::File.expand_path(dest), ::File.expand_path(src)) && Hooks::COPY.untouched?
          rescue SystemCallError # the current directory is gone
            false
          end

          # @return [nil] as copy_entry
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

          # The entries are those from before stock went on with the rest.
          def remove_old(path, force)
            removed = Native.engine.remove_tree(path, force, false, names = [])
            removed = yield if removed.equal?(false)
            return unless removed.instance_of?(Array)

            names.empty? ? removed : names.map { |name| ::FileUtils::Entry_.new(path, encode(name, path)) }
          end

          # Whether a path's bytes are its name, and those of the names below it theirs.
          def plain?(path)
            path.instance_of?(String) && Encoding.default_internal.nil? &&
              (PLAIN.include?(path.encoding) || (path.encoding == Encoding::US_ASCII && path.ascii_only?)) && !path.include?("\0")
          end

          # As Dir.children names them.
          def encode(name, path)
            name.force_encoding(path.encoding)
            name.encoding == Encoding::US_ASCII && !name.ascii_only? ? name.force_encoding(Encoding::BINARY) : name
          end

          # Whether it leads up from within what it names: FileUtils loses its way
          # as soon as that is gone, and leaves the rest.
          def through_itself?(path)
            return false unless path.include?("..")

            path = path.b
            path.enum_for(:scan, %r{(?<![^/])\.\.(?![^/])}).any? do
              way = $~.pre_match
              within?(::File.absolute_path(way.empty? ? "." : way), ::File.absolute_path(path))
            end
          rescue SystemCallError # the current directory is gone
            true
          end

          # FileUtils expands the paths, and what begins with "~" is a user's home: below "." any name may.
          def homes?(path) = path.start_with?("~") || path == "."

          def within?(inner, outer) = outer == "/" || inner == outer || inner.start_with?("#{outer}/")
        end
      end
    end
  end
end

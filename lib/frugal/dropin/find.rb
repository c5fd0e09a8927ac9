# frozen_string_literal: true

require_relative "../constants"
require_relative "../native"
require_relative "guard"
require_relative "replace"
require_relative "find/chdir"

module Frugal
  module Dropin
    # Makes Find.find, and with it Pathname#find, need fewer system calls.
    #
    #   require "frugal/find"      # or: frugal run -- ruby script.rb
    #
    # Stock calls lstat(2) for each path after it was yielded, and creates a File::Stat and
    # three strings. The drop-in uses the type in the directory's listing instead, as long as
    # no directory on the way to the path has changed (see core/find/find_walk.h). So a path
    # that the block creates, removes or replaces has the same effect as with stock.
    #
    # Under JRuby, calls `lstat` for each path that is not a directory, without an exception or an object.
    #
    # *Cost*: for a directory `open`, `fstatfs`, `getdents` until it is empty, `close`; for
    # anything else one `lstat`, or, after {WATCH_AFTER} of these, none (one `epoll_wait` where
    # the system allows no io_uring), with four more calls for a directory (and `getcwd` if the
    # root is relative). One String per path, no exception.
    module Find
      # This many `lstat` calls take as long as closing a watch, which takes the kernel
      # 8 to 20 ms.
      WATCH_AFTER = 8_192
      FILE = ::File
      DIR = ::Dir
      OF_FILE = FILE.singleton_class
      OF_DIR = DIR.singleton_class
      # The errors that `ignore_error` ignores.
      IGNORED = [Errno::ENOENT, Errno::EACCES, Errno::ENOTDIR, Errno::ELOOP, Errno::ENAMETOOLONG, Errno::EINVAL].freeze
      private_constant :FILE, :DIR, :OF_FILE, :OF_DIR

      # Visits the tree below one root. The program's block, and errors, have stock's frames: C's method `catch`
      # yields each path to a block in `find`, and yields a directory that only Ruby can list once more.
      VISIT = {
        c: <<~'RUBY',
          # +10
          walk.catch(path, encoding) do |file, entries|
            # +11
            next yield(file) unless entries
            begin
              # +13
              if ::File.lstat(file).directory?
                # +20
                entries.concat(::Frugal::Dropin::Find.entries(file, ::Dir.children(file, encoding: encoding)))
              end
            rescue *::Frugal::Dropin::Find::IGNORED
              raise unless ignore_error
            end
          end
        RUBY
        java: "walk.visit(path, encoding, ::Frugal::Dropin::Find) { |file| yield file }\n"
      }.freeze
      # The method that replaces Find's own; see {EntryMethod}. If a root does not exist, stock's method raises the
      # error.
      FIND = <<~'RUBY'
        def find(*paths, ignore_error: true)
          # +1
          return enum_for(:find, *paths, ignore_error: ignore_error) unless block_given?
          walk = or_stock { ::Frugal::Dropin::Find.walk(paths, ignore_error) }
          names = ::Encoding.find("filesystem")
          begin
            # +5
            paths.each do |path|
              encoding = path.encoding == ::Encoding::US_ASCII ? names : path.encoding
              VISIT
            end
          ensure
            walk.close
          end
          nil
        end
      RUBY
      private_constant :VISIT, :FIND

      class << self
        # @return [String, nil] the reason why this drop-in stands aside
        def guard
          return "it pays only with the C engine under Linux, and with the Java engine" unless native?

          folder = Guard.folder(::Find.singleton_class, :find)
          pristine = [::Find, ::Find.singleton_class].all? { |owner| Guard.pristine?(owner, :find, folder) }
          return "Find.find was redefined" unless pristine

          "a method of File or Dir was redefined" unless core?
        end

        # Patches the loaded Find.
        def install
          Native.need(:find_walk)
          Chdir.count if Native.engine_name == :c # JRuby's current directory is not the kernel's
          code = FIND.sub(/^ *VISIT\n/, VISIT.fetch(Native.engine_name))
          Replace.module_function(::Find, :find, EntryMethod.new(Find, code))
        end

        # Whether the methods that stock calls are still Ruby's own; a test's fake file
        # system replaces them.
        def core?
          FILE.equal?(::File) && DIR.equal?(::Dir) && Native.engine.core?(OF_FILE, :exist?, :lstat, :join) &&
            Native.engine.core?(OF_DIR, :children)
        end

        # Begins a walk, and replaces the paths by the Strings from which stock would start.
        #
        # @param paths [Array]
        # @return [Native::C::FindWalk, Native::Java::FindWalk, nil] nil if stock has to find the paths
        # @raise [OwnFailure] for example, the process has no free descriptor
        def walk(paths, ignore_error)
          return unless core?

          roots = paths.map { |path| root(path) || (return nil) }
          walk = Native.engine::FindWalk.new(ignore_error, WATCH_AFTER)
          paths.replace(roots)
          walk
        end

        # @param names [Array<String>]
        # @return [Array<String>] the paths of a directory's entries, the first one at the end
        def entries(path, names) = names.sort.reverse.map { |name| File.join(path, name) }

        # The fallback that the Java engine calls for a single directory: finds all paths below it
        # as stock does.
        def below(path, encoding, ignore_error)
          pending = children(path, encoding, ignore_error)
          while (path = pending.pop)
            catch(:prune) do
              yield path.dup
              pending.concat(children(path, encoding, ignore_error))
            end
          end
        end

        private

        # @return [String, nil] nil if it does not exist, or is neither a String nor a Pathname
        def root(path)
          path = path.to_path if !path.instance_of?(::String) && pathname?(path)
          path.dup if path.instance_of?(::String) && File.exist?(path)
        end

        def pathname?(path) = (pathname = Constants.loaded("Pathname")) && path.instance_of?(pathname)

        # In reverse order: the caller takes them from the end.
        def children(path, encoding, ignore_error)
          File.lstat(path).directory? ? entries(path, ::Dir.children(path, encoding: encoding)) : []
        rescue *IGNORED
          raise unless ignore_error

          []
        end

        def native? = Native.can?(:FindWalk)
      end
    end
  end
end

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
    # JRuby's drop-in calls `lstat` for each path that is no directory, without an exception or an object.
    #
    # *Cost*: for a directory `open`, `fstatfs`, `getdents` until it is empty, `close`; for
    # anything else one `lstat`, or, after {WATCH_AFTER} of these, one `epoll_wait`, with two
    # more calls for a directory (and `getcwd` if the root is relative). One String per path,
    # no exception.
    module Find
      # The versions that the differential fuzzer runs against; before 0.2, find had no version.
      KNOWN_VERSIONS = ("0.2".."0.2")
      # This many `lstat` calls take as long as closing a watch, which takes the kernel
      # 8 to 20 ms.
      WATCH_AFTER = 8_192
      PROBES = { File: %i[exist? lstat join].freeze, Dir: %i[children].freeze }.freeze
      private_constant :PROBES

      # The method that replaces Find's own; see {Replace}.
      module Patch
        def find(*paths, ignore_error: true, &block) # rubocop:disable Metrics/MethodLength -- errors show its frames
          return enum_for(:find, *paths, ignore_error: ignore_error) unless block_given?

          begin
            walk = Dropin::Find.walk(ignore_error)
          rescue OwnFailure
            nil # for example, the process has no free descriptor
          end
          return frugal_stock_find(*paths, ignore_error: ignore_error, &block) unless walk

          begin
            roots = begin
              paths.map { |path| File.exist?(path) ? path.dup : raise(Errno::ENOENT, path) }
            rescue OwnFailure
              nil # stock raises the same error in its own line
            end
            return frugal_stock_find(*paths, ignore_error: ignore_error, &block) unless roots

            names = Encoding.find("filesystem")
            roots.each do |path|
              path = path.to_path if path.respond_to?(:to_path)
              walk.visit(path, path.encoding == Encoding::US_ASCII ? names : path.encoding, Dropin::Find, &block)
            end
          ensure
            walk.close
          end
          nil
        end
      end

      class << self
        # @return [String, nil] the reason why this drop-in stands aside
        def guard
          return "it pays only with the C engine under Linux, and with the Java engine" unless native?

          unknown = Guard.unknown_version("Find", version, KNOWN_VERSIONS) if version
          return unknown if unknown

          folder = Guard.folder(::Find.singleton_class, :find)
          pristine = [::Find, ::Find.singleton_class].all? { |owner| Guard.pristine?(owner, :find, folder) }
          return "Find.find was redefined" unless pristine

          "a method of File or Dir was redefined" unless core?
        end

        # Patches the loaded Find.
        def install
          Native.need(:find_walk)
          Chdir.count if Native.engine_name == :c # that of JRuby is not the kernel's
          [::Find, ::Find.singleton_class].each { |owner| Replace.method(owner, :find, Patch.instance_method(:find)) }
        end

        # Whether the methods that stock calls are still Ruby's own; a test's fake file
        # system replaces them.
        def core?
          PROBES.all? do |constant, names|
            owner = Object.const_get(constant).singleton_class
            names.all? { |name| Guard.core?(owner, name) }
          end
        end

        # @return [Native::C::FindWalk, Native::Java::FindWalk, nil] nil if stock has to find the paths
        def walk(ignore_error) = (Native.engine::FindWalk.new(ignore_error, WATCH_AFTER) if core?)

        # The fallback that the C engine calls for a single directory: finds all paths below it
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

        # In reverse order: the caller takes them from the end.
        def children(path, encoding, ignore_error)
          return [] unless File.lstat(path).directory?

          ::Dir.children(path, encoding: encoding).sort.reverse.map { |name| File.join(path, name) }
        rescue Errno::ENOENT, Errno::EACCES, Errno::ENOTDIR, Errno::ELOOP, Errno::ENAMETOOLONG, Errno::EINVAL
          raise unless ignore_error

          []
        end

        def native? = Native.engine.const_defined?(:FindWalk)

        # @return [String, nil] nil for Ruby 3.1's Find, even if the program defines a top-level VERSION
        def version = Constants.loaded("Find::VERSION")
      end
    end
  end
end

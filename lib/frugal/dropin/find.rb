# frozen_string_literal: true

require_relative "../constants"
require_relative "../native"
require_relative "guard"
require_relative "replace"
require_relative "find/chdir"

module Frugal
  module Dropin
    # Makes Find.find, and Pathname#find with it, ask the kernel less.
    #
    #   require "frugal/find"      # or: frugal run -- ruby script.rb
    #
    # Stock asks lstat(2) for each path after its yield, makes a File::Stat, and
    # three strings. Here the type that the directory's listing told counts for
    # as long as nothing on the way to it has changed (see core/find_walk.h);
    # what the block makes, removes or replaces shows as it does with stock.
    #
    # Cost: for a directory +open+, +fstatfs+, +getdents+ until the end, +close+;
    # for anything else one +lstat+, and once {WATCH_AFTER} were asked, one
    # +epoll_wait+ instead, with two calls more for a directory (and +getcwd+
    # where the root is relative). One String a path; no exception.
    module Find
      # What the differential fuzzer is run against: before 0.2, find had no version.
      KNOWN_VERSIONS = ("0.2".."0.2").freeze
      # So many lstats are as dear as giving a watch back to the kernel, which
      # takes it 8 to 20 ms.
      WATCH_AFTER = 8_192
      PROBES = { File: %i[exist? lstat join].freeze, Dir: %i[children].freeze }.freeze
      private_constant :PROBES

      # In place of Find's own. The original stays as +frugal_stock_find+; user
      # code that redefines find afterwards replaces ours.
      module Patch
        def find(*paths, ignore_error: true, &block)
          return enum_for(:find, *paths, ignore_error: ignore_error) unless block_given?

          begin
            walk = Dropin::Find.walk(ignore_error)
          rescue OwnFailure
            nil # no descriptor is left, say
          end
          return frugal_stock_find(*paths, ignore_error: ignore_error, &block) unless walk

          begin
            roots = begin
              paths.map { |path| File.exist?(path) ? path.dup : raise(Errno::ENOENT, path) }
            rescue OwnFailure
              nil # stock raises it, in a line of its own
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
        # @return [String, nil] why this drop-in stands aside
        def guard
          return "it pays only where the C engine can ask the kernel of changes" unless native?
          return "Find #{version} is not known (0.2 is)" unless known?

          folder = Guard.folder(::Find.singleton_class, :find)
          pristine = folder && [::Find, ::Find.singleton_class].all? { |owner| Guard.pristine?(owner, :find, folder) }
          return "Find.find was redefined" unless pristine

          "a method of File or Dir was redefined" unless core?
        end

        # Patches the loaded Find.
        def install
          Chdir.count
          [::Find, ::Find.singleton_class].each { |owner| Replace.method(owner, :find, Patch.instance_method(:find)) }
        end

        # Whether the questions that stock asks are still Ruby's own: a test's
        # fake file system replaces them.
        def core?
          PROBES.all? do |constant, names|
            owner = Object.const_get(constant).singleton_class
            names.all? { |name| Guard.core?(owner, name) }
          end
        end

        # @return [Native::C::FindWalk, nil] nil where stock's own has to do it
        def walk(ignore_error) = (Native.engine::FindWalk.new(ignore_error, WATCH_AFTER) if core?)

        # The slow lane: all below a path that was yielded, asked as stock asks.
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

        # In reverse, so that the first is the last.
        def children(path, encoding, ignore_error)
          return [] unless File.lstat(path).directory?

          ::Dir.children(path, encoding: encoding).sort.reverse.map { |name| File.join(path, name) }
        rescue Errno::ENOENT, Errno::EACCES, Errno::ENOTDIR, Errno::ELOOP, Errno::ENAMETOOLONG, Errno::EINVAL
          raise unless ignore_error

          []
        end

        def native? = Native.engine.const_defined?(:FindWalk)

        def known? = version.nil? || Guard.version_in?(version, KNOWN_VERSIONS)

        # @return [String, nil] Ruby 3.1's Find has none; a program may have a VERSION of its own at the top
        def version = Constants.loaded("Find::VERSION")
      end
    end
  end
end

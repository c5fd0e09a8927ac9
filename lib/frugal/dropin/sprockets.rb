# frozen_string_literal: true

require_relative "../constants"
require_relative "../native"
require_relative "guard"
require_relative "replace"

module Frugal
  module Dropin
    # Makes Sprockets read a file's attributes, a directory or a cached asset without
    # checking first whether it exists.
    #
    #   require "frugal/sprockets"      # or: frugal run -- rake assets:precompile
    #
    # *Cost*: `stat` for a file (stock: twice); `open`, `getdents` until it is empty, `close`
    # for a directory (stock: three more calls); `open`, `fstat`, `read`, `close` and
    # `utimensat` for a cached asset (stock: four more). A miss is one call and no
    # exception, also if the file is removed at that moment.
    module Sprockets
      CACHE_FILE = "/sprockets/cache/file_store.rb"
      FILE = ::File
      DIR = ::Dir
      OF_FILE = FILE.singleton_class
      OF_DIR = DIR.singleton_class
      UTF_8 = ::Encoding::UTF_8
      private_constant :FILE, :DIR, :OF_FILE, :OF_DIR, :UTF_8

      # The methods for Sprockets::PathUtils; file?, directory?, stat_tree and others call them.
      module PathUtils
        DOT, TILDE, HASH = ".~#".bytes
        private_constant :DOT, :TILDE, :HASH

        # A failure is, for example, a NUL in the path: stock raises the same error in its own line.
        def stat(path) = or_stock(false) { Dropin::Sprockets.stat(path) }

        def entries(path)
          names = or_stock(false) { Dropin::Sprockets.children(path) }
          return [] unless names

          names.reject! do |name|
            first = name.getbyte(0)
            last = name.getbyte(-1)
            first == DOT || last == TILDE || (first == HASH && last == HASH)
          end
          names.sort!
        end
      end

      # The method for Sprockets::Cache::FileStore.
      module FileStore
        # Replaces the open file: `get` calls only `read` on it.
        Content = Struct.new(:read)

        private

        def safe_open(path, &block)
          content = or_stock(false) { Dropin::Sprockets.content(path, block) }
          yield Content.new(content) if content
        end
      end

      class << self
        # @return [String, nil] the reason why this drop-in stands aside
        def guard
          return "it pays only with the C or the Java engine" unless Guard.native?

          @folder = Guard.folder(::Sprockets::PathUtils, :stat)
          redefined = Guard.redefined(::Sprockets::PathUtils, %i[stat entries], @folder)
          redefined || ("a method of File or Dir was redefined" unless files? && directories?)
        end

        # Patches the loaded PathUtils, and the file cache now or when it is loaded.
        def install
          stock = %i[stat entries].to_h { |name| [name, ::Sprockets::PathUtils.instance_method(name)] }
          Replace.methods(::Sprockets::PathUtils, PathUtils)
          stock.each { |name, method| replace_alias(:"_#{name}", name, method) }
          return install_cache if Constants.loaded("Sprockets::Cache::FileStore")

          Dropin.load_autorun
          Autorun.afterwards(CACHE_FILE) { install_cache }
        end

        def files? = FILE.equal?(::File) && Native.engine.core?(OF_FILE, :exist?, :stat)

        def directories?
          FILE.equal?(::File) && DIR.equal?(::Dir) && Native.engine.core?(OF_FILE, :directory?) &&
            Native.engine.core?(OF_DIR, :entries)
        end

        # @return [File::Stat, nil, false] nil for a miss; false if stock has to answer
        def stat(path)
          path.instance_of?(::String) && files? && Guard.plain_name?(path) && Native.engine.stat(path)
        rescue ::SystemCallError
          nil # as File.exist? returns false for a path that cannot be reached
        end

        # @param block [Proc] of FileStore#safe_open
        # @return [String, nil, false] nil for a miss; false if stock has to open the file
        def content(path, block)
          only_reads?(block) && Guard.plain_name?(path) && Native.engine.binread(path)
        end

        # @return [Array<String>, nil, false] nil for a miss; false if stock has to answer
        def children(path)
          return false unless path.instance_of?(::String) && directories? && same_encoding? && Guard.plain_name?(path)

          names = Native.engine.children(path)
          Platform::JRUBY && names && !names.all? { |name| plain?(name) } ? false : names
        rescue ::SystemCallError => e
          raise if Native.engine.interruption?(e)

          false
        end

        # @return [Boolean] whether a block is the one in FileStore#get
        def only_reads?(block)
          block&.source_location&.first == @cache_file && FILE.equal?(::File) &&
            Native.engine.core?(OF_FILE, :exist?, :open)
        end

        private

        # Stock returns names in the internal encoding, the engine in the file system's. In
        # UTF-8, the byte of a dot always means a dot.
        def same_encoding?
          ::Encoding.default_external == UTF_8 && ((internal = ::Encoding.default_internal).nil? || internal == UTF_8)
        end

        # Under JRuby, stock returns all names in UTF-8, and returns other names where it cannot
        # decode them.
        def plain?(name) = name.ascii_only? && name.encoding == UTF_8

        # Up to Sprockets 3.7, CachedEnvironment keeps aliases of the methods that it overrides.
        def replace_alias(kept, name, stock)
          return unless (owner = Constants.loaded("Sprockets::CachedEnvironment"))
          return unless owner.method_defined?(kept, false)
          return unless owner.instance_method(kept).source_location == stock.source_location

          owner.alias_method(kept, kept) # prevents Ruby's warning about a redefinition
          owner.define_method(kept, ::Sprockets::PathUtils.instance_method(name))
        end

        def install_cache
          store = ::Sprockets::Cache::FileStore
          return unless %i[get safe_open].all? { |name| Guard.pristine?(store, name, @folder) }

          @cache_file, = store.instance_method(:get).source_location
          Replace.methods(store, FileStore)
        end
      end
    end
  end
end

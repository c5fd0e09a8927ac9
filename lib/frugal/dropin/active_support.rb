# frozen_string_literal: true

require_relative "../native"
require_relative "guard"
require_relative "replace"

module Frugal
  module Dropin
    # Makes ActiveSupport::Cache::FileStore read an entry with half the calls.
    #
    #   require "frugal/active_support"      # or: frugal run -- rails server
    #
    # Stock calls File.exist?, opens the file with a second look-up, and makes three more
    # system calls for the open file. Only one method is replaced; read, fetch, exist?,
    # read_multi and increment all use it.
    #
    # *Cost*: a hit is `open`, `fstat`, `read`, `close` (stock: 8 calls). A miss is one
    # `open` and no exception, also if the file is removed at that moment.
    module ActiveSupport
      HOOKS = %i[read_entry read_serialized_entry].freeze
      FILE = ::File
      QUESTIONS = FILE.singleton_class
      private_constant :FILE, :QUESTIONS

      # The methods for ActiveSupport::Cache::FileStore.
      module FileStore
        private

        def read_serialized_entry(key, **) = or_stock(false) { Dropin::ActiveSupport.read(key) }
      end

      class << self
        # @return [String, nil] the reason why this drop-in stands aside
        def guard
          return "it pays only with the C or the Java engine" unless Guard.native?

          store = ::ActiveSupport::Cache::FileStore
          redefined = Guard.redefined(store, HOOKS, Guard.folder(store, :initialize))
          redefined || ("File.exist? or File.binread was redefined" unless core?)
        end

        # Patches the loaded FileStore.
        def install
          Replace.methods(::ActiveSupport::Cache::FileStore, FileStore)
        end

        # @return [String, nil, false] nil for a miss; false if stock has to read the entry
        def read(key)
          core? && key.instance_of?(::String) && Guard.plain_name?(key) && Native.engine.binread(key)
        end

        # Whether the methods that stock calls are still Ruby's own: a test may replace them at any time.
        def core? = FILE.equal?(::File) && Native.engine.core?(QUESTIONS, :exist?, :binread)
      end
    end
  end
end

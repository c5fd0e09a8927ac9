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
    # Stock asks File.exist?, then opens the file by a second look-up, and asks
    # the open file three questions more. Whatever reads goes through the one
    # method that is replaced: read, fetch, exist?, read_multi, increment.
    #
    # Cost: a hit is +open+, +fstat+, +read+, +close+ (stock: 8 calls); a miss is
    # one +open+ and no exception, also where the file vanishes meanwhile.
    module ActiveSupport
      # What the differential fuzzer and Rails' own tests are run against.
      KNOWN_VERSIONS = ("7.0".."8.1").freeze
      HOOKS = %i[read_entry read_serialized_entry].freeze
      FILE = ::File
      QUESTIONS = FILE.singleton_class
      private_constant :FILE, :QUESTIONS

      # In FileStore.
      module FileStore
        private

        def read_serialized_entry(key, **)
          begin
            return Native.engine.binread(key) if Dropin::ActiveSupport.core?
          rescue OwnFailure
            nil # stock has the words for it, or none
          end
          frugal_stock_read_serialized_entry(key)
        end
      end

      class << self
        # @return [String, nil] why this drop-in stands aside
        def guard
          version = ::ActiveSupport::VERSION::STRING
          return "it pays only with the C engine" unless Native.engine_name == :c
          return "ActiveSupport #{version} is not known (7.0 to 8.1 are)" unless Guard.version_in?(version, KNOWN_VERSIONS)

          store = ::ActiveSupport::Cache::FileStore
          folder = Guard.folder(store, :initialize)
          changed = HOOKS.find { |name| !Guard.pristine?(store, name, folder) }
          return "FileStore##{changed} was redefined" if changed

          "File.exist? or File.binread was redefined" unless core?
        end

        # Patches the loaded FileStore.
        def install
          Replace.methods(::ActiveSupport::Cache::FileStore, FileStore)
        end

        # Whether what stock asks is Ruby's own: a test may replace it at any time.
        def core? = FILE.equal?(::File) && Native.engine.core?(QUESTIONS, :exist?, :binread)
      end
    end
  end
end

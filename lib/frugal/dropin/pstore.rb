# frozen_string_literal: true

require_relative "../main_ractor"
require_relative "../native"
require_relative "../store/change"
require_relative "../store/marshal_roots"
require_relative "../store/shared_file"
require_relative "guard"
require_relative "replace"
require_relative "pstore/formats"
require_relative "pstore/image"
require_relative "pstore/session"
require_relative "pstore/patch"

module Frugal
  module Dropin
    # Makes PStore, and YAML::Store with it, ask the kernel less, write only what
    # changed, and lose nothing.
    #
    #   require "frugal/pstore"      # or: frugal run -- ruby script.rb
    #
    # Stock opens, locks, reads, decodes and closes the file in each transaction.
    # Here its bytes are kept, and one stat says whether they still hold. The file
    # stays as stock writes it, and stock processes may share it.
    #
    # Cost: a read-only transaction 1 call (stat), an unchanged one 3 (flock, stat,
    # flock), a changed one 5 (pwrite and fstat more), 6 where the file shrinks or
    # grows into another block. See docs/compatibility.md.
    module Pstore
      # What the differential fuzzer and upstream's own suites are run against.
      KNOWN_VERSIONS = ("0.1".."0.3").freeze
      # What a transaction consists of: whoever overrides one of these has stock's.
      PARTS = %i[transaction open_and_lock_file load_data save_data save_data_with_fast_strategy
                 save_data_with_atomic_file_rename_strategy].freeze
      FILE = ::File

      class << self
        # @return [String, nil] why this drop-in stands aside
        def guard
          version = ::PStore::VERSION.to_s
          return "PStore #{version} is not known (0.1.1 to 0.3 are)" unless Guard.version_in?(version, KNOWN_VERSIONS)
          return "File is not Ruby's own" unless Guard.core?(FILE.singleton_class, :exist?) # FakeFS may be active
          return "there is no flock here as it is needed" if RUBY_PLATFORM.match?(/mswin|mingw|cygwin/)

          folder = Guard.folder(::PStore, :transaction)
          changed = (PARTS + Formats::HOOKS).find { |name| folder.nil? || !Guard.pristine?(::PStore, name, folder) }
          "PStore##{changed} was redefined" if changed
        end

        # Patches the loaded PStore.
        def install
          Formats.know
          Replace.methods(::PStore, Patch)
        end

        # What a store has between its transactions.
        #
        # @param store [PStore]
        # @return [Session, false] false where stock's transaction must run
        def session(store, filename)
          return false unless MainRactor.here?

          format = Formats.of(store)
          format ? Session.new(store, filename, format) : false
        end
      end
    end
  end
end

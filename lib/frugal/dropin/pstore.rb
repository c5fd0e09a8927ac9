# frozen_string_literal: true

require_relative "../platform"
require_relative "../native"
require_relative "../store/file/change"
require_relative "../store/file/marshal_roots"
require_relative "../store/file/shared_file"
require_relative "guard"
require_relative "replace"
require_relative "pstore/formats"
require_relative "pstore/image"
require_relative "pstore/kept_file"
require_relative "pstore/kept_files"
require_relative "pstore/patch"

module Frugal
  module Dropin
    # Makes PStore and YAML::Store need fewer system calls, write only what has changed,
    # and lose no data if a write fails.
    #
    #   require "frugal/pstore"      # or: frugal run -- ruby script.rb
    #
    # Stock opens, locks, reads, decodes and closes the file in each transaction. This
    # drop-in keeps its bytes, and checks by one stat whether they are still valid. The file
    # has stock's format, and stock processes may share it.
    #
    # *Cost*: 1 system call (stat) for a read-only transaction, 3 for one that changes
    # nothing (flock, stat, flock), 5 for one that changes something (also pwrite and fstat),
    # 6 if the file shrinks or grows into another block. See docs/compatibility.md.
    module Pstore
      # The methods that make up a transaction. A store that overrides one gets stock's transaction.
      PARTS = %i[transaction open_and_lock_file load_data save_data save_data_with_fast_strategy
                 save_data_with_atomic_file_rename_strategy].freeze
      FILE = ::File
      OF_FILE = FILE.singleton_class
      # Ruby's own methods that stock's transaction calls, beside File.new. A test may replace one. The list is in the
      # engines, too: StoreFile#enter.
      CALLED = %i[flock truncate read rewind write close].freeze

      class << self
        # @return [String, nil] why this drop-in stands aside
        def guard
          return "File is not Ruby's own" unless Guard.core?(OF_FILE, :exist?) # FakeFS may be active
          return "flock on this platform is not sufficient" if Platform::SYSTEM.match?(/mswin|mingw|cygwin/)

          Guard.redefined(::PStore, PARTS + Formats::HOOKS, Guard.folder(::PStore, :transaction))
        end

        # Patches the loaded PStore.
        def install
          Formats.record_upstream_methods
          Replace.method(::PStore, :transaction, EntryMethod.new(Pstore, TRANSACTION))
        end

        # @return [Boolean] whether stock's transaction would find Ruby's own File, without FakeFS or a stub
        def ruby_file?
          FILE.equal?(::File) && Native.engine.core?(OF_FILE, :new) && Native.engine.core?(FILE, *CALLED)
        end

        # The file that a store keeps between its transactions.
        #
        # @param store [PStore]
        # @return [KeptFile, false] false if stock's transactions must run
        def kept_file(store, filename)
          return false unless Platform.main_ractor?

          format = Formats.of(store)
          format ? KeptFile.for(filename, format) : false
        end
      end
    end
  end
end

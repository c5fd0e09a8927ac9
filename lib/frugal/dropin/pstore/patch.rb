# frozen_string_literal: true

module Frugal
  module Dropin
    # See {Pstore} in dropin/pstore.rb.
    module Pstore
      # The tag that PStore#commit and #abort throw. From 0.2 on it is the store itself.
      TAG = Guard.version_in?(::PStore::VERSION, "0.1".."0.2") ? :pstore_abort_transaction : nil

      # Matches an error of the engine's method that a transaction calls in upstream's file.
      module OfEnter
        def self.===(error) = OwnFailure.of?(error, "enter")
      end
      private_constant :TAG, :OfEnter

      # Replaces PStore#transaction; see {EntryMethod}. The original stays as +frugal_stock_transaction+. If
      # user code redefines transaction afterwards, it replaces this one. Errors of nested
      # transactions have upstream's messages.
      #
      # The steps of a transaction:
      #
      #   kept      no kept file, or an error of frugal's own: stock's transaction runs
      #   lock      @lock, against nested transactions
      #     enter   @table, or nil: stock's transaction runs, after leave and unlock
      #     yield   the program's block
      #     save    writes the changes of the block
      #     leave   unlocks the file
      #   unlock    @lock
      TRANSACTION = <<~'RUBY'
        def transaction(read_only = false)
          kept = or_stock { @frugal.nil? ? (@frugal = Pstore.kept_file(self, @filename)) : @frugal }
          value = nil
          # +3
          raise ::PStore::Error, "nested transaction" unless @thread_safe || @lock.try_lock
          # +5
          begin
            # +6
            @lock.lock if @thread_safe
          rescue ::ThreadError
            # +8
            raise ::PStore::Error, "nested transaction"
          end
          begin
            @rdonly = read_only
            @abort = false
            begin
              # +17
              while false.equal?(table = kept.enter(self, ::File, @filename, read_only, @nofollow, @table))
                kept = @frugal = kept.another(@filename)
              end
              table ||= kept.open_table(self, @filename, read_only, @nofollow)
            rescue OfEnter, OwnFailure
              # leave and unlock have to come first; stock's transaction then raises its own error, or succeeds
              table = nil
            end
            if table
              @table = table
              # +19
              catch(TAG || self) do
                # +20
                value = yield(self)
              end
              unchanged = @abort || read_only || kept.unchanged?(@table)
              # +24
              kept.save(@table, @filename, @ultra_safe, @nofollow) unless unchanged
            end
          ensure
            begin
              kept.leave(self)
            ensure
              # even if an interrupt ended leave
              @lock.unlock
            end
          end
          return value if table
          frugal_stock_transaction(read_only, &THE_BLOCK)
        end
      RUBY
    end
  end
end

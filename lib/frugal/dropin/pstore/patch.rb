# frozen_string_literal: true

module Frugal
  module Dropin
    module Pstore
      # Replaces PStore#transaction. The original stays as +frugal_stock_transaction+. If
      # user code redefines transaction afterwards, it replaces this one. Errors of nested
      # transactions have upstream's messages.
      module Patch
        # The tag that PStore#commit and #abort throw. From 0.2 on it is the store itself.
        TAG = Guard.version_in?(::PStore::VERSION, "0.1".."0.2") ? :pstore_abort_transaction : nil

        # The steps of a transaction:
        #
        #   session   no session, or an error of frugal's own: stock's transaction runs
        #   lock      @lock, against nested transactions
        #     enter   @table, or nil: stock's transaction runs, after leave and unlock
        #     yield   the program's block
        #     save    writes the changes of the block
        #     leave   unlocks the file
        #   unlock    @lock
        #
        # rubocop:disable-next Metrics -- a helper would be one more call, and one more frame in the program's backtraces
        def transaction(read_only = false, &block)
          session = begin
            @frugal.nil? ? (@frugal = Pstore.session(self, @filename)) : @frugal
          rescue OwnFailure
            false
          end
          return frugal_stock_transaction(read_only, &block) unless session

          value = nil
          begin
            (@thread_safe ? @lock.lock : @lock.try_lock) or raise ::PStore::Error, "nested transaction"
          rescue ThreadError
            raise ::PStore::Error, "nested transaction"
          end
          begin
            @rdonly = read_only
            @abort = false
            begin
              while false.equal?(table = session.enter(self, ::File, @filename, read_only, @nofollow, @table))
                session = @frugal = session.another(@filename)
              end
              table ||= session.open_table(self, @filename, read_only, @nofollow)
            rescue OwnFailure
              table = nil # stock's transaction raises its own error, or succeeds
            end
            if table
              @table = table
              catch(TAG || self) { value = yield(self) }
              unchanged = @abort || read_only || session.unchanged?(@table)
              session.save(@table, @filename, @ultra_safe, @nofollow) unless unchanged
            end
          ensure
            begin
              session.leave(self)
            ensure
              @lock.unlock # even if an interrupt ended leave
            end
          end
          table ? value : frugal_stock_transaction(read_only, &block)
        end
      end
    end
  end
end

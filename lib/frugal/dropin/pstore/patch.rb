# frozen_string_literal: true

module Frugal
  module Dropin
    module Pstore
      # In place of PStore's own. The original stays as
      # +frugal_stock_transaction+; user code that redefines transaction
      # afterwards replaces ours. Who may enter is upstream's affair, in
      # upstream's words.
      module Patch
        # What commit and abort throw, until 0.2; then it is the store.
        TAG = Guard.version_in?(::PStore::VERSION, "0.1".."0.2") ? :pstore_abort_transaction : nil

        def transaction(read_only = false, &block)
          session = @frugal
          if session.nil?
            begin
              session = @frugal = Pstore.session(self, @filename)
            rescue OwnFailure
              session = false
            end
          end
          return frugal_stock_transaction(read_only, &block) unless session && ::File.equal?(FILE)

          value = nil
          if !@thread_safe
            raise ::PStore::Error, "nested transaction" unless @lock.try_lock
          else
            begin
              @lock.lock
            rescue ThreadError
              raise ::PStore::Error, "nested transaction"
            end
          end
          begin
            @rdonly = read_only
            @abort = false
            begin
              table = session.table(@filename, read_only, @nofollow) || session.enter(@filename, read_only, @nofollow)
            rescue OwnFailure
              nil # stock has the words for it, or does without us
            end
            if table
              @table = table
              catch(TAG || self) do
                value = yield(self)
              end

              session.save(@table, @ultra_safe, @nofollow) unless @abort || read_only || session.unchanged?(@table)
            end
          ensure
            begin
              session.release
            ensure
              @lock.unlock # whatever interrupt came meanwhile
            end
          end
          return frugal_stock_transaction(read_only, &block) unless table

          value
        end
      end
    end
  end
end

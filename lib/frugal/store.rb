# frozen_string_literal: true

require_relative "loader"
require_relative "error"
require_relative "store/fibers"
require_relative "store/transaction"
require_relative "store/engine_choice"

module Frugal
  # A Hash in a file or on a Redis server, changed in transactions: either all changes of a
  # transaction are saved or none. API and default format are those of PStore. A call outside a
  # transaction runs in a separate transaction.
  #
  #   store = Frugal::Store.new("app.store")
  #   store[:visits] = 1                                # a transaction
  #   store.update(:visits) { |visits| visits + 1 }     # a transaction: no other process writes in between
  #   store.transaction do
  #     store[:from] -= 10
  #     store[:to] += 10                                # both are saved, or neither if there is an error
  #   end
  #   store.write(:code, 4711, expires_in: 600)         # is absent after ten minutes
  #
  # Options:
  # [engine:]     +:file+; +:sqlite+ for more than about 1 MB or 20,000 roots; +:redis+ for
  #               several machines: keys of a Redis server
  # [durability:] +:fast+ writes in place, as PStore does; +:atomic+ replaces the
  #               file, which is complete even if the process is killed; after
  #               +:durable+, not even a power cut can undo the transaction
  # [serializer:] +:marshal+, PStore's format and the default; +:json+, the default of +:redis+; +:messagepack+
  # [canonical:]  whether equal data gives equal bytes, regardless of the order in which it was written
  # [redis:]      for +:redis+: a URL, a Hash of options for RedisClient, its config, a client or a pool. The Hash may
  #               have +sentinels:+ or +cluster:+, and +wait:+, the number of replicas that must have each write
  # [secret:]     for +:redis+: a random String of 32 bytes or more that seals each value; values that were not sealed
  #               with it are not loaded. To change it, pass an Array: the first one writes, all of them read
  # [attempts:]   for +:redis+: how often a transaction runs at most, if others change the roots that it reads
  #
  # Threads may share one object; processes share the file. A forked process may
  # continue to use the object, but not its parent's transaction. As in a PStore,
  # +return+ and +break+ out of a transaction discard its changes.
  #
  # Loading a +:marshal+ store can run code, so open only files that the program itself
  # wrote. Loading +:json+ and +:messagepack+ never runs code.
  #
  # *Cost*: engine +:file+ in C and Java: 1 system call (stat) for a read-only
  # transaction, 3 for a transaction that changes nothing, 5 for one with changes
  # (+:fast+). See docs/store.md.
  class Store
    # The values of `durability:`.
    DURABILITIES = %i[fast atomic durable].freeze

    autoload :Redis, "#{__dir__}/store/redis/engine"
    autoload :SQLite, "#{__dir__}/store/sqlite/engine"

    # @return [String]
    attr_reader :path

    # Does not open the file or connect to the server. The first write creates the file.
    #
    # @param path [String, #to_path] in a directory that exists; for +:redis+ the store's name, or a URL with the name
    # @raise [UsageError] for an invalid option, or an option that needs a gem that is not installed
    def initialize(path, engine: :file, durability: :fast, serializer: nil, canonical: false,
                   redis: nil, secret: nil, attempts: nil)
      @path = File.path(path).dup.freeze
      options = { redis: redis, secret: secret, attempts: attempts }.compact
      @engine = EngineChoice.new(engine).make(@path, serializer, canonical, durability: durability, **options)
      @path = @engine.name if engine == :redis # without a password
      @lock = Thread::Mutex.new
      @current = @thread = nil
    end

    # Runs the block in a transaction: no other thread or process writes to the store
    # meanwhile. With +:redis+, others may write; if they change roots that the transaction has
    # read, the block runs again.
    #
    # @param read_only [Boolean] read-only transactions do not wait for each other
    # @yieldparam store [Store] this store
    # @return [Object] the result of the block; nil after {commit} or {abort}
    # @raise [UsageError] inside another transaction of this store, even if another fiber of the thread began it
    # @raise [CorruptStore, SystemCallError]
    # @raise [StoreUnavailable, StoreConflict] with +:redis+
    # @raise [TypeError] for an object that the serializer cannot dump; the store is unchanged then
    def transaction(read_only = false, &block)
      if ours?
        raise UsageError, "nested transaction: #{@path} is already in a transaction: end it first, or continue in it"
      end

      @lock.synchronize do
        @thread = Fibers.thread
        value = attempt(read_only, &block)
        value = attempt(read_only, &block) while Transaction::CONFLICT.equal?(value)
        value
      ensure
        @current = @thread = nil
        @engine.leave
      end
    end

    # Ends the transaction and saves its changes.
    # @raise [UsageError] outside a transaction
    def commit = throw(current.tag)

    # Ends the transaction and discards its changes.
    # @raise [UsageError] outside a transaction
    def abort
      current.abort
      throw(current.tag)
    end

    # @return [Object, nil]
    def [](key) = reading { |transaction| transaction[key] }

    # @raise [UsageError] in a read-only transaction, or for a key that the serializer does not support
    def []=(key, value)
      writing { |transaction| transaction[key] = value }
    end

    # As Hash#fetch.
    #
    # @raise [KeyError] without a default
    def fetch(key, *default, &block) = reading { |transaction| transaction.fetch(key, *default, &block) }

    # @return [Object, nil] the deleted value
    def delete(key) = writing { |transaction| transaction.delete(key) }

    # Replaces the value of a root by the result of the block.
    #
    #   store.update("count") { |count| count.to_i + 1 }
    #
    # @yieldparam value [Object, nil]
    # @return [Object] the result of the block
    def update(key, &block) = writing { |transaction| transaction.update(key, &block) }

    # Replaces the value of a root, and makes it expire after some time: it is then absent for all
    # readers at once. A later +[]=+, or {write} without expires_in:, makes the root permanent;
    # {update} and changes in place keep the time. See docs/store.md.
    #
    # @param expires_in [Numeric, nil] seconds, greater than 0
    # @return [Object] the value
    # @raise [UsageError] as {[]=}, and for an invalid expires_in
    def write(key, value, expires_in: nil) = writing { |transaction| transaction.write(key, value, expires_in) }

    # Sets how long a root lives from now on.
    #
    # @param seconds [Numeric, nil] nil: until the root is deleted
    # @return [Boolean] whether there is such a root
    # @raise [UsageError]
    def expire(key, seconds) = writing { |transaction| transaction.expire(key, seconds) }

    # @return [Float, nil] how many seconds a root still lives; nil if it does not expire, or does not exist
    def ttl(key) = reading { |transaction| transaction.ttl(key) }

    # *Cost*: with +:redis+ one round trip for all roots.
    #
    # @return [Array<Object, nil>] the values of several roots
    def values_at(*keys) = reading { |transaction| transaction.values_at(keys) }

    # @return [Boolean]
    def key?(key) = reading { |transaction| transaction.key?(key) }
    alias root? key?

    # All keys, in the order in which they were added.
    #
    # @param prefix [String, Symbol, nil] only the Strings (or Symbols) with this prefix
    # @return [Array]
    def keys(prefix: nil) = reading { |transaction| transaction.keys(prefix) }
    alias roots keys

    # Yields each key with its value. Outside a transaction, the block runs in a read-only
    # transaction. To change roots in the block, call this method inside {transaction}.
    #
    # @param prefix [String, Symbol, nil] see {keys}
    # @return [self, Enumerator] `next` of the Enumerator returns the roots as they were at its first call
    def each(prefix: nil, &block)
      return enumerator(prefix) unless block

      reading { |transaction| transaction.each(prefix, &block) }
      self
    end

    # Closes the file. The next transaction opens it again.
    def close
      raise UsageError, "#{@path} is in a transaction: end it before you close the store" if ours?

      @lock.synchronize { @engine.close }
      nil
    end

    # @return [String] the class and the path
    def inspect = "#<#{self.class} #{@path}>"

    private

    # Reports whether this thread has the lock, maybe in another fiber, for which waiting would never end.
    def ours?
      @lock.owned? || (@lock.locked? && Fibers.thread.equal?(@thread) && !Fibers.scheduled?)
    end

    # The steps of an Enumerator (`next`, `zip`) run in another fiber. A transaction that stays open between two steps
    # would exclude all other transactions of the thread, forever if no step follows. So the first step copies all
    # roots.
    def enumerator(prefix)
      fiber = Fiber.current
      transaction = @current if @lock.owned?
      Enumerator.new do |roots| # not `enum_for`: `next` of JRuby's Enumerator passes its keywords as a Hash
        if Fiber.current.equal?(fiber) then each(prefix: prefix) { |*root| roots.yield(*root) }
        else pairs(prefix, transaction).each { |root| roots.yield(*root) }
        end
        self
      end
    end

    # @param transaction [Transaction, nil] the source, if this thread is still in it
    def pairs(prefix, transaction)
      return transaction.pairs(prefix) if transaction && transaction.equal?(@current) && Fibers.thread.equal?(@thread)

      reading { |present| present.pairs(prefix) }
    end

    # Runs the block once.
    #
    # @return [Object] the block's value, or {Transaction::CONFLICT}
    def attempt(read_only)
      value = nil
      transaction = @current = Transaction.new(@engine.enter(read_only), @engine.serializer, read_only)
      catch(transaction.tag) { value = yield(self) }
      discarded = read_only || transaction.aborted?
      outcome = discarded ? @engine.discard(transaction.table) : @engine.commit(transaction.table)
      Transaction::CONFLICT.equal?(outcome) ? outcome : value
    end

    def current
      return @current if @lock.owned?

      raise UsageError, "not in a transaction: commit and abort end a transaction of #{@path}"
    end

    def reading
      @lock.owned? ? yield(@current) : transaction(true) { yield(@current) }
    end

    def writing
      @lock.owned? ? yield(@current) : transaction { yield(@current) }
    end
  end
end

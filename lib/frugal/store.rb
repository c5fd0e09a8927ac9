# frozen_string_literal: true

require_relative "published"
require_relative "error"
require_relative "main_ractor"
require_relative "store/transaction"
require_relative "store/serializer"
require_relative "store/file_engine"

module Frugal
  # A Hash that lives in a file, changed in transactions: all of one or nothing.
  # The API is PStore's, and so is the default format; what is called outside a
  # transaction is one of its own.
  #
  #   store = Frugal::Store.new("app.store")
  #   store[:visits] = 1                                # a transaction
  #   store.update(:visits) { |visits| visits + 1 }     # one, too: nobody comes between
  #   store.transaction do
  #     store[:from] -= 10
  #     store[:to] += 10                                # both, or with an error neither
  #   end
  #
  # Options:
  # [engine:]     +:file+, or +:sqlite+ for more than about 1 MB or 20,000 roots
  # [durability:] +:fast+ writes in place, as PStore does; +:atomic+ puts a new
  #               file in its place, whole whenever the process is killed; +:durable+
  #               returns when a power cut can no longer take it back
  # [serializer:] +:marshal+, PStore's format; +:json+; +:messagepack+
  # [canonical:]  whether the same data gives the same bytes, whatever its history
  #
  # One object may be shared by threads; processes share the file. A fork may go on
  # with it, but not in its parent's transaction. As in a PStore, +return+ and
  # +break+ out of a transaction drop what it changed.
  #
  # A store of +:marshal+ is as trusted as the program itself: loading one that
  # somebody else has written may run code. +:json+ and +:messagepack+ never do.
  #
  # *Cost*, engine +:file+ under the C engine: a transaction that reads 1 system
  # call (stat), one that changes nothing 3, one that changes 5 (+:fast+). See
  # docs/store.md.
  class Store
    ENGINES = { file: :FileEngine, sqlite: :SQLiteEngine }.freeze
    DURABILITIES = %i[fast atomic durable].freeze
    private_constant :ENGINES

    autoload :SQLiteEngine, "#{__dir__}/store/sqlite_engine"

    # @return [String]
    attr_reader :path

    # Opens nothing yet: a store that nobody writes to needs no file.
    #
    # @param path [String, #to_path] in a directory that exists
    # @raise [UsageError] for an option that makes no sense, or what it needs is not here
    def initialize(path, engine: :file, durability: :fast, serializer: :marshal, canonical: false)
      @path = File.path(path).dup.freeze
      check(@path, engine, durability)
      @engine = Store.const_get(ENGINES.fetch(engine)).new(@path, durability: durability, serializer: Serializer.of(serializer, canonical))
      @lock = Thread::Mutex.new
      @current = nil
    end

    # Runs the block with the store, which nobody else writes to meanwhile.
    #
    # @param read_only [Boolean] readers do not wait for each other
    # @yieldparam store [Store] this one
    # @return [Object] what the block returned; nil after {commit} or {abort}
    # @raise [UsageError] in another transaction of this store
    # @raise [CorruptStore, SystemCallError]
    # @raise [TypeError] for an object that the serializer cannot dump; nothing has changed then
    def transaction(read_only = false)
      raise UsageError, "nested transaction: #{@path} is in one already; end that first, or go on in it" if @lock.owned?

      @lock.synchronize do
        value = nil
        transaction = @current = Transaction.new(@engine.enter(read_only), @engine.serializer, read_only)
        catch(transaction) { value = yield(self) }
        @engine.commit(transaction.table) unless read_only || transaction.aborted?
        value
      ensure
        @current = nil
        @engine.leave
      end
    end

    # Ends the transaction, with what it changed.
    # @raise [UsageError] outside one
    def commit = throw(current)

    # Ends the transaction, without what it changed.
    # @raise [UsageError] outside one
    def abort
      current.abort
      throw(current)
    end

    # @return [Object, nil]
    def [](key) = reading { |transaction| transaction[key] }

    # @raise [UsageError] in a read-only transaction, or for a key that the serializer has not
    def []=(key, value)
      writing { |transaction| transaction[key] = value }
    end

    # As Hash#fetch.
    #
    # @raise [KeyError] without a default
    def fetch(key, *default, &block) = reading { |transaction| transaction.fetch(key, *default, &block) }

    # @return [Object, nil] what it was
    def delete(key) = writing { |transaction| transaction.delete(key) }

    # Replaces a root by what the block makes of it.
    #
    #   store.update("count") { |count| count.to_i + 1 }
    #
    # @yieldparam value [Object, nil]
    # @return [Object] what the block returned
    def update(key, &block) = writing { |transaction| transaction.update(key, &block) }

    # @return [Boolean]
    def key?(key) = reading { |transaction| transaction.key?(key) }
    alias root? key?

    # In the order in which they came.
    #
    # @param prefix [String, Symbol, nil] only Strings, or Symbols, that begin so
    # @return [Array]
    def keys(prefix: nil) = reading { |transaction| transaction.keys(prefix) }
    alias roots keys

    # Yields each key with its value. A transaction of its own reads only: what is to
    # be changed on the way needs one around it.
    #
    # @param prefix [String, Symbol, nil] see {keys}
    # @return [self, Enumerator]
    def each(prefix: nil, &block)
      return enum_for(:each, prefix: prefix) unless block

      reading { |transaction| transaction.each(prefix, &block) }
      self
    end

    # Lets go of the file. The next transaction opens it again.
    def close
      raise UsageError, "#{@path} is in a transaction, which must end before the store is closed" if @lock.owned?

      @lock.synchronize { @engine.close }
      nil
    end

    def inspect = "#<#{self.class} #{@path}>"

    private

    def check(path, engine, durability)
      { "engine" => [engine, ENGINES.keys], "durability" => [durability, DURABILITIES] }.each do |option, (value, known)|
        raise UsageError, "#{option}: it is #{known.map(&:inspect).join(", ")}, not #{value.inspect}" unless known.include?(value)
      end
      unless MainRactor.here?
        raise UsageError, "a store lives in the main Ractor only: let that one answer for the others"
      end
      return if File.directory?(File.dirname(path))

      raise UsageError, "there is no directory #{File.dirname(path)} for the store #{path}: make it first"
    end

    def current
      return @current if @lock.owned?

      raise UsageError, "not in a transaction: commit and abort end one of #{@path}"
    end

    def reading
      @lock.owned? ? yield(@current) : transaction(true) { yield(@current) }
    end

    def writing
      @lock.owned? ? yield(@current) : transaction { yield(@current) }
    end
  end
end

# frozen_string_literal: true

require_relative "../root_table"
require_relative "names"
require_relative "listing"
require_relative "value"

module Frugal
  class Store
    module Redis
      # The table of a transaction whose roots are keys of a server. It keeps the version of each root that it reads;
      # {Engine#commit} checks these versions. All roots are read as of one moment: each answer contains the store's
      # clock, and if the clock has changed, the versions are checked before the block gets the value. If a version has
      # changed, the block is left, and runs again.
      class Table < RootTable
        BATCH = 10_000 # roots in one command
        ANY = "-" # no version: the set of keys was not read
        private_constant :BATCH, :ANY

        # Reports whether a root or the set of keys has changed since it was read.
        def stale? = @stale

        # @param connection [Connection]
        # @param names [Names]
        # @param value [Value]
        def initialize(connection, names, value, serializer)
          super(serializer)
          @connection = connection
          @names = names
          @value = value
          @versions = {} # encoded key => version of a root that was read; "" if there was no such root
          @deadlines = {} # encoded key => true, of roots that expire
          @set = ANY # the version of the set of keys, if it was read
          @clock = nil
          @stale = @with_values = false
        end

        def preload(keys)
          keys = keys.map { |key| encode(key) }.uniq.reject { |bytes| known?(bytes) }
          keys.each_slice(BATCH) { |slice| read_all(slice) }
        end

        def keys_with_values(prefix)
          @with_values = true
          super
        ensure
          @with_values = false
        end

        # Does not ask the server, since the transaction may have ended.
        def known_keys = @values.keys.map { |bytes| RootKey.decode(bytes, @serializer) }

        # @return [Array(Array<String>, Array<String>)] for {Script::COMMIT}: the keys of the server, and the
        #   arguments that follow the number of the transaction; nil if nothing has to be written
        # @raise [TypeError] for an object that cannot be dumped
        def commands
          changes = self.changes
          return if changes.empty?

          roots = [*@versions.keys, *changes.map(&:key)].uniq
          number = roots.each_with_index.to_h { |bytes, index| [bytes, index + 6] }
          fields = changes.flat_map { |change| fields(change, number) }
          [roots.map { |bytes| @names.root(bytes) },
           [@set, @names.roots, Expiry::SWEPT, @versions.size, *@versions.values, *fields]]
        end

        private

        # With a secret, keys are never unmarshalled, since keys are not signed.
        def encode(key)
          super.tap do |bytes|
            next unless dumped?(bytes)

            raise UsageError, "with secret: and :marshal, a key must be String, Symbol or Integer (got #{key.inspect})"
          end
        end

        def dumped?(bytes) = @value.sealed? && @serializer.name == :marshal && RootKey.dump?(bytes)

        def known?(bytes) = @dumps.key?(bytes) || @values.key?(bytes) || @deleted.key?(bytes)

        def fetch(bytes)
          read_all([bytes])
          @dumps[bytes]
        end

        def read_all(keys)
          clock, *stored = @connection.call("MGET", @names.clock, *keys.map { |bytes| @names.root(bytes) })
          keys.each_with_index { |bytes, index| remember(bytes, stored[index]) }
          at(clock)
        end

        def remember(bytes, stored)
          stored = stored.b if stored
          @versions[bytes] = stored ? @value.version(stored) : ""
          @deadlines[bytes] = true if stored && @value.expires?(stored)
          @dumps[bytes] = stored && @value.unpack(bytes, stored)
        end

        # Ensures that everything that was read is unchanged at the clock +clock+, or leaves the block. There is no
        # clock in an empty store, and after a deletion for which the server had no memory.
        def at(clock)
          clock ||= ""
          if @clock && (@clock != clock || clock.empty?)
            roots = @versions.keys.map { |bytes| @names.root(bytes) }
            clock = @connection.run(Script::CHECK, [@names.clock, @names.keys, *roots], [@set, *@versions.values])
            leave unless clock
          end
          @clock = clock
        end

        def leave
          @stale = true
          throw(self)
        end

        def stored_keys(ranges)
          listing = Listing.new(@connection, @names)
          clock, set, found = listing.read(@with_values ? "values" : "places", ranges)
          @set = set if @set == ANY
          pairs = found.map { |bytes, stored| [bytes.b.freeze, stored.b] }
          pairs.each { |bytes, stored| remember(bytes, stored) unless known?(bytes) } if @with_values
          at(clock)
          check_keys(pairs)
          pairs.sort_by { |_, stored| @value.place(stored) }.map(&:first)
        end

        def check_keys(pairs)
          bytes, = pairs.find { |one, _| dumped?(one) }
          raise CorruptStore, "the key #{bytes.inspect} was written by another program" if bytes
        end

        def stored_deadline?(bytes) = @deadlines.key?(bytes)

        def stored_ttl(bytes)
          left = @connection.call("PTTL", @names.root(bytes)) if stored_deadline?(bytes)
          left if left&.positive?
        end

        def fields(change, number)
          dump = change.dump && @value.pack(change.key, change.dump)
          [change.kind, number.fetch(change.key), dump || "", change.expires || ""]
        end
      end
    end
  end
end

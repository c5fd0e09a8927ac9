# frozen_string_literal: true

module Frugal
  module Cache
    # The counters of ActiveSupport::Cache::FrugalStore, which are read and written under the lock of their entry, so no
    # increment is lost.
    module Counters
      # Adds to an Integer. A missing or expired entry becomes `amount`; a present entry keeps its time of expiry.
      #
      #   cache.increment("visits")                      # => 1
      #   cache.increment("visits", 10)                  # => 11
      #
      # *Cost*: open, flock, fstat, read, write, close.
      #
      # @param options [Hash, nil] as Rails 7.1's LocalCache passes them, together with `others`
      # @return [Integer, nil] the new value; nil if the disk failed
      def increment(name, amount = 1, options = nil, **others)
        count(:increment, name, amount, Integer(amount), others.merge(options || {}))
      end

      # As {#increment}, and subtracts.
      def decrement(name, amount = 1, options = nil, **others)
        count(:decrement, name, amount, -Integer(amount), others.merge(options || {}))
      end

      private

      def count(operation, name, amount, difference, options)
        options = merged_options(options)
        key = normalize_key(name, options)
        instrument(operation, key, amount: amount) do
          failsafe(operation) { add(key, difference, normalize_version(name, options), options) }
        end
      end

      def add(key, difference, version, options)
        number = nil
        @directory.update(key) do |payload|
          present = deserialize_entry(payload)
          entry = counted(present, difference, version, options)
          number = entry.value
          [serialize_entry(entry, **(present ? {} : options)), entry.expires_at]
        end
        number
      end

      def counted(present, difference, version, options)
        if !present || present.expired? || present.mismatched?(version)
          return ActiveSupport::Cache::Entry.new(difference, **options, version: version)
        end

        number = present.value.to_i + difference
        ActiveSupport::Cache::Entry.new(number, expires_at: present.expires_at, version: present.version)
      end
    end
  end
end

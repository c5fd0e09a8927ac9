# frozen_string_literal: true

module Frugal
  module Cache
    # How ActiveSupport::Cache::FrugalStore deletes entries, and what it does with expired ones. Between the moment at
    # which a process reads an expired entry and its next step, another one may have written a fresh entry, which must
    # be neither deleted nor overwritten. So each step asks again under the lock of the entry.
    module Expiry
      EXPLICIT = :frugal_cache_delete
      private_constant :EXPLICIT

      # Deletes an entry, whether it is expired or not.
      def delete(name, options = nil) = explicitly { super }

      private

      def delete_multi_entries(entries, **options) = explicitly { super }

      # Store#read and its relatives call this for expired entries, #delete for any.
      def delete_entry(key, **)
        explicit = Thread.current[EXPLICIT]
        failsafe(:delete_entry, returning: false) { explicit ? @directory.delete(key) : @directory.delete_expired(key) }
      end

      # With race_condition_ttl, one process gets nil and computes the value again. The others get the expired one,
      # which the first has prolonged, or what it has written meanwhile.
      def handle_expired_entry(entry, key, options)
        return entry unless entry&.expired?
        return prolong(entry, key, options) if prolong?(entry, options)

        delete_entry(key, **options)
        nil
      end

      def prolong?(entry, options)
        seconds = options[:race_condition_ttl].to_i
        seconds.positive? && Time.now.to_f - entry.expires_at <= seconds
      end

      def prolong(entry, key, options)
        seconds = options[:race_condition_ttl].to_i
        entry.expires_at = Time.now.to_f + seconds
        payload = serialize_entry(entry, **options, expires_in: seconds * 2)
        return if write_serialized_entry(key, payload, **options, only: :expired, expires_at: entry.expires_at)

        present = read_entry(key, **options)
        present unless present&.expired?
      end

      def explicitly
        before = Thread.current[EXPLICIT]
        Thread.current[EXPLICIT] = true
        yield
      ensure
        Thread.current[EXPLICIT] = before
      end
    end
  end
end

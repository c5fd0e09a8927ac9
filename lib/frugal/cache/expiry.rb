# frozen_string_literal: true

module Frugal
  module Cache
    # The part of ActiveSupport::Cache::FrugalStore that deletes entries and handles expired entries. After a process
    # has read an expired entry, another process may write a new entry, which must be neither deleted nor overwritten.
    # So each change reads the entry again under its lock.
    module Expiry
      EXPLICIT = :frugal_cache_delete
      private_constant :EXPLICIT

      # Deletes an entry, whether it is expired or not.
      def delete(name, options = nil) = explicitly { super }

      private

      def delete_multi_entries(entries, **options) = explicitly { super }

      # Store#read and similar methods call this for expired entries, #delete calls it for any entry.
      def delete_entry(key, **)
        explicit = Thread.current[EXPLICIT]
        failsafe(:delete_entry, returning: false) { explicit ? @directory.delete(key) : @directory.delete_expired(key) }
      end

      # With race_condition_ttl, one process gets nil and computes the value again. The others get the expired entry,
      # whose expiry the first process has extended, or the new entry.
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

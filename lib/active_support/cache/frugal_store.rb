# frozen_string_literal: true

require "active_support"
require "active_support/cache"
require "active_support/core_ext/object/blank"
require "active_support/notifications"
require_relative "../../frugal/cache"

# Rails' library.
module ActiveSupport
  # Rails' caches.
  module Cache
    # A cache in files that loses no increment, reads an entry with three system calls and a miss with one, and decodes
    # only entries that it has written.
    #
    #   config.cache_store = :frugal_store, "tmp/cache", { expires_in: 1.day, max_size: 1.gigabyte }
    #
    # Options in addition to those of every store:
    # [max_size:]       bytes of the files, approximately; beyond that, the entries that were written first are deleted
    # [max_entry_size:] bytes; larger entries are not saved (64 MiB)
    # [secret:]         32 random bytes or more; only entries that were written with it are read; an Array to change it
    # [permissions:]    of new files (0600)
    # [error_handler:]  is called with `method:`, `returning:` and `exception:` if the disk fails; the default one logs
    #                   and reports the error
    #
    # Differences from FileStore are in docs/cache.md. Safe for threads, processes and forks; not for NFS.
    class FrugalStore < Store
      include ::Frugal::Cache::Reading
      include ::Frugal::Cache::Expiry
      include ::Frugal::Cache::Counters
      prepend Strategy::LocalCache

      # Logs and reports that the disk has failed.
      DEFAULT_ERROR_HANDLER = lambda do |method:, returning:, exception:|
        logger&.error do
          "FrugalStore: #{method} failed, returned #{returning.inspect}: #{exception.class}: #{exception.message}"
        end
        context = { cache: "frugal_store", method: method }
        ActiveSupport.error_reporter&.report(exception, handled: true, severity: :warning, context: context)
      end
      # The errors that are passed to the error handler.
      FAULTS = [SystemCallError, IOError, ::Frugal::Cache::Directory::Busy].freeze
      # Raised when a value cannot be decoded; Rails 7.0 has no such class.
      UNREADABLE = (Cache.const_defined?(:DeserializationError, false) ? [DeserializationError] : []).freeze

      def self.supports_cache_versioning? = true

      # The return value of a failed write: that of the stores in this version of Rails that rescue errors.
      FAILED_WRITE = (false if ActiveSupport::VERSION::STRING.to_f < 7.2)
      private_constant :FAILED_WRITE

      # @return [String]
      attr_reader :cache_path

      # @param cache_path [String, Pathname]
      def initialize(cache_path, max_size: nil, max_entry_size: 1 << 26, secret: nil, permissions: 0o600,
                     error_handler: DEFAULT_ERROR_HANDLER, **options)
        super(options)
        @cache_path = cache_path.to_s
        @error_handler = error_handler
        limits = { permissions: permissions, secret: secret, largest: max_entry_size }
        @directory = ::Frugal::Cache::Directory.new(@cache_path, **limits)
        @limit = ::Frugal::Cache::Limit.new(@directory, max_size) if max_size
      end

      # Deletes all entries, of all namespaces, and no other files in the directory.
      def clear(_options = nil) = failsafe(:clear) { @directory.clear }

      # Deletes expired entries.
      def cleanup(_options = nil) = failsafe(:cleanup) { @directory.cleanup }

      # Deletes the expired entries, and then the entries that were written first, until the files have `target_size`
      # bytes.
      #
      # @param max_time [Numeric, nil] seconds after which it stops
      def prune(target_size, max_time = nil)
        failsafe(:prune) do
          @directory.cleanup
          instrument(:prune, target_size, from: @directory.size) { @directory.prune(target_size, max_time) }
        end
      end

      # Deletes the entries whose key matches. Reads all files.
      #
      # @param matcher [Regexp, String] a String is a glob, as for RedisCacheStore: `*`, `?`, `[a-z]`
      def delete_matched(matcher, options = nil)
        options = merged_options(options)
        pattern = matcher.is_a?(String) ? namespace_key(matcher, options) : key_matcher(matcher, options)
        instrument(:delete_matched, pattern.is_a?(String) ? pattern : pattern.inspect) do
          failsafe(:delete_matched) { @directory.delete_if { |key| ::Frugal::Cache::Matching.match?(pattern, key) } }
        end
      end

      # Shows the path and the options.
      def inspect = "#<#{self.class.name} cache_path=#{@cache_path}, options=#{@options.inspect}>"

      private

      def write_entry(key, entry, unless_exist: false, **options)
        only = :absent if unless_exist
        write_serialized_entry(key, serialize_entry(entry, **options), only: only, expires_at: entry.expires_at)
      end

      # An entry that cannot be written is deleted, since its present value is outdated.
      def write_serialized_entry(key, payload, only: nil, expires_at: nil, **)
        failsafe(:write_entry, returning: FAILED_WRITE) do
          written = @directory.write(key, payload, expires_at: expires_at, only: only)
          @limit&.wrote(payload.bytesize)
          written
        rescue *FAULTS
          @directory.delete(key) unless only
          raise
        end
      end

      def failsafe(method, returning: nil)
        yield
      rescue *FAULTS => e
        failed(method, e, returning)
      end

      def failed(method, exception, returning = nil)
        @error_handler&.call(method: method, exception: exception, returning: returning)
        returning
      end
    end
  end
end

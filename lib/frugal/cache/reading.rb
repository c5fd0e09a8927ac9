# frozen_string_literal: true

module Frugal
  module Cache
    # The part of ActiveSupport::Cache::FrugalStore that reads. The results are those of Store. A read without observers
    # skips the work for observers, which takes longer than the three system calls.
    module Reading
      EVENT = "cache_read.active_support"
      RECHECKED = 64 # reads after which it looks for modules that observe Store#read
      private_constant :EVENT, :RECHECKED

      # As Store#read. *Cost*: open, read, close; a miss: open.
      def read(name, options = nil)
        return super if options || observed?

        options = self.options
        entry = read_entry(key = normalize_key(name, options)) or return
        if entry.expired?
          delete_entry(key)
          nil
        elsif !entry.version || !entry.mismatched?(normalize_version(name, options))
          entry.value
        end
      rescue *self.class::UNREADABLE
        nil
      end

      private

      def observed?
        ActiveSupport::Notifications.notifier.listening?(EVENT) || (logger&.debug? && !silence?) || local_cache ||
          prepended?
      end

      # Reports whether a module with `read`, such as a tracer's, is prepended to Store.
      def prepended?
        @reads = @reads.to_i - 1
        return @prepended unless @reads.negative?

        @reads = RECHECKED
        store = ActiveSupport::Cache::Store
        @prepended = !store.instance_method(:read).owner.equal?(store)
      end

      def read_entry(key, **options)
        entry = deserialize_entry(local_cache ? read_serialized_entry(key, **options) : read_file(key))
        entry if entry.is_a?(ActiveSupport::Cache::Entry)
      end

      def read_serialized_entry(key, **) = read_file(key)

      def read_file(key)
        @directory.read(key)
      rescue *self.class::FAULTS => e
        failed(:read_entry, e)
      end

      # Store's method, without another copy of all options.
      def namespace_key(key, call_options = nil)
        namespace = (call_options&.key?(:namespace) ? call_options : options)[:namespace]
        namespace = namespace.call if namespace.respond_to?(:call)
        key = key.dup.force_encoding(Encoding::UTF_8) if key && key.encoding != Encoding::UTF_8
        namespace ? "#{namespace}:#{key}" : key
      end
    end
  end
end

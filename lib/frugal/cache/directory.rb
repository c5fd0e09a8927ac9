# frozen_string_literal: true

require_relative "../entries"
require_relative "content"
require_relative "maintenance"

module Frugal
  module Cache
    # The files of a cache: payloads by key, in {Frugal::Entries}. A file also contains its key, for searches by a part
    # of the key, and to ensure that no payload is returned for another key.
    #
    #   directory = Frugal::Cache::Directory.new("tmp/cache")
    #   directory.write("a key", "a payload", expires_at: Time.now.to_f + 60)  # => true
    #   directory.read("a key")                                                # => "a payload"
    #
    # Payloads are bytes here; nothing is unmarshalled. Expired payloads are returned, since the caller may still use
    # them. Methods raise {Busy}, and a SystemCallError for a fault, such as a full disk.
    class Directory
      include Maintenance

      # Another process has held the lock of an entry for seconds, because it is stopped or hangs.
      class Busy < Error; end

      NEVER = 1 << 53 # milliseconds; times after it are not exact, and mean never
      private_constant :NEVER

      # @return [String]
      attr_reader :path

      # @param path [String, #to_path]
      # @param permissions [Integer] of new files
      # @param secret [String, Array<String>, nil] 32 bytes or more; then only entries that were written with it are
      #   read. An Array: the first is for writing, all are for reading
      # @param largest [Integer] bytes of a payload
      def initialize(path, permissions: 0o600, secret: nil, largest: 1 << 26)
        @largest = largest
        @entries = Entries.new(path, permissions: permissions, max_bytes: largest + (1 << 16))
        @path = @entries.dir
        @content = secret ? SealedContent.new(secret) : Content.new
      end

      # *Cost*: open, read, close; a miss: open.
      #
      # @return [String, nil]
      def read(key)
        record = @entries.read(Entries.digest(key))
        record && @content.payload(record, key)
      end

      # @param expires_at [Float, nil] seconds since the epoch
      # @param only [Symbol, nil] a condition for writing: `:absent` (there is no payload, or an expired one),
      #   `:expired` (there is an expired payload)
      # @return [Boolean] whether it was written
      def write(key, payload, expires_at: nil, only: nil)
        raise ArgumentError, "a payload must be a String (got #{payload.class})" unless payload.is_a?(String)
        return too_large(key) if payload.bytesize > @largest

        change(key, create: only != :expired, replace: true) do |handle|
          save(handle, key, payload, expires_at) if may_write?(only, handle, key)
        end
      end

      # Replaces the payload by the result of the block. The entry is locked while the block runs.
      #
      # @yieldparam payload [String, nil] the present payload
      # @yieldreturn [Array(String, Float)] the new payload, and its time of expiry
      # @return [Boolean] true
      def update(key)
        change(key) do |handle|
          record = handle.record
          save(handle, key, *yield(record && @content.payload(record, key)))
        end
      end

      # @return [Boolean] whether there was an entry
      def delete(key) = @entries.delete(Entries.digest(key))

      # Deletes an entry if it is still expired.
      #
      # @return [Boolean] whether it was deleted
      def delete_expired(key)
        change(key, create: false) { |handle| expired?(handle.record) && handle.delete }
      end

      # Shows the path, and no secret.
      def inspect = "#<#{self.class} #{@path}>"

      private

      # Yields the entry's handle under its lock. With `replace`, removes obstacles first: a file whose lock is not
      # released, a file that may not be read, a directory or a link of that name.
      def change(key, create: true, replace: false, &block)
        digest = Entries.digest(key)
        result = attempt(digest, create, replace, &block)
        result = attempt(digest, create, false, &block) if result == :blocked
        result ? true : false
      end

      def attempt(digest, create, replace, &block)
        result = @entries.update(digest, create: create, &block)
        return result unless result == :busy
        raise Busy, "the lock of #{@entries.path(digest)} is not free" unless replace

        @entries.unlink(digest)
        :blocked
      rescue *Entries::UNUSABLE
        raise unless replace && @entries.quarantine(digest, :unusable)

        :blocked
      end

      def save(handle, key, payload, expires_at)
        bytes = @content.encode(key, payload)
        handle.write(bytes, serializer: @content.number, expires_at: milliseconds(expires_at))
        true
      end

      def may_write?(only, handle, key)
        return true unless only

        record = handle.record
        return only == :absent unless record && @content.payload(record, key)

        expired?(record)
      end

      def too_large(key)
        delete(key)
        false
      end

      def milliseconds(expires_at)
        return 0 unless expires_at && expires_at * 1000 < NEVER

        [(expires_at * 1000).floor, 1].max
      end

      def expired?(record, now = ::Time.now.to_f)
        record && record.expires_at.positive? && record.expires_at <= now * 1000
      end
    end
  end
end

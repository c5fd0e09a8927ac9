# frozen_string_literal: true

require_relative "../error"

module Frugal
  module Cache
    # The bytes of an entry: the size of the key (4 bytes, little-endian), the key, the payload.
    class Content
      # @return [Integer] the serializer number of records with such bytes, see {Entries}
      def number = 0

      # @return [String] binary
      def encode(key, payload) = [key.bytesize, key].pack("L<a*") << payload

      # @param record [Entries::Record]
      # @return [String, nil] nil for an entry of another key, and for an entry that may not be read
      def payload(record, key)
        bytes = bytes(record) or return
        head = [key.bytesize, key].pack("L<a*")
        bytes.byteslice(head.bytesize, bytes.bytesize) if bytes.start_with?(head)
      end

      # @return [String, nil] the key of the entry; nil for an entry that may not be read
      def key(record)
        bytes = bytes(record) or return
        size = bytes.unpack1("L<") or return
        bytes.byteslice(4, size).force_encoding(Encoding::UTF_8) if bytes.bytesize >= 4 + size
      end

      private

      def bytes(record) = (record.bytes if record.serializer == number)
    end

    # As {Content}, after an HMAC-SHA-256 of these bytes, which proves that the writer had one of the secrets. It cannot
    # detect that an entry was replaced by an older entry of the same key.
    class SealedContent < Content
      BYTES = 32
      SHORTEST_SECRET = 32
      private_constant :BYTES, :SHORTEST_SECRET

      # @param secrets [String, Array<String>] the first one is for writing, all are for reading
      # @raise [UsageError]
      def initialize(secrets)
        super()
        require "openssl"
        @secrets = Array(secrets).map(&:b).freeze
        return if @secrets.any? && @secrets.all? { |secret| secret.bytesize >= SHORTEST_SECRET }

        raise UsageError, "secret: must be a random String of #{SHORTEST_SECRET} bytes or more, or an Array of them"
      end

      def number = 1

      def encode(key, payload)
        bytes = super
        mac(@secrets.first, bytes) << bytes
      end

      # Shows no secret.
      def inspect = "#<#{self.class}>"

      private

      def bytes(record)
        return unless record.serializer == number && record.bytes.bytesize >= BYTES

        found = record.bytes.byteslice(0, BYTES)
        bytes = record.bytes.byteslice(BYTES, record.bytes.bytesize)
        bytes if @secrets.any? { |secret| ::OpenSSL.fixed_length_secure_compare(found, mac(secret, bytes)) }
      end

      def mac(secret, bytes) = ::OpenSSL::HMAC.digest("SHA256", secret, bytes)
    end
  end
end

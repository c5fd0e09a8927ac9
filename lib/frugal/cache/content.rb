# frozen_string_literal: true

require_relative "../seal"

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

    # As {Content}, sealed. These bytes contain the key.
    class SealedContent < Content
      # @param secrets (see Seal#initialize)
      # @raise [UsageError]
      def initialize(secrets)
        super()
        @seal = Seal.new(secrets)
      end

      def number = 1
      def encode(key, payload) = @seal.close(super)

      private

      def bytes(record) = (@seal.open(record.bytes) if record.serializer == number)
    end
  end
end

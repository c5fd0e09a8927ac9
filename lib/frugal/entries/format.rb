# frozen_string_literal: true

require_relative "../native"

module Frugal
  class Entries
    # The saved value of one key.
    #
    # [bytes]      the payload, as the serializer wrote it (binary String)
    # [serializer] a number from 0 to 255 for the format of the payload; the caller defines its meaning
    # [expires_at] when it expires, in milliseconds since the epoch; 0: never
    # [idle]       it also expires this many seconds after the file's mtime; 0: never
    # [sequence]   the number of writes of this key, from 1
    # [slot]       0 or 1: its position in the file
    # [settled]    whether it is certainly the newest record, even if the bytes were read without the lock. Two writes
    #              may happen during the read: then the slot that was read first is old, and the other slot is torn, or
    #              does not contain the next sequence
    Record = Struct.new(:bytes, :serializer, :expires_at, :idle, :sequence, :slot, :settled) do
      # @param now [Float] seconds since the epoch
      # @param mtime [Float] of the file
      def expired?(now, mtime)
        (expires_at != 0 && now * 1000 >= expires_at) || (idle != 0 && now - mtime >= idle)
      end
    end

    EntryRecord = Native.engine::EntryRecord
    private_constant :EntryRecord

    # The bytes of an entry's file: a head of 16 bytes, and one or two slots with a record each.
    #
    #   0  8  magic and version   "frugalE1"
    #   8  1  slots: 0 for one slot without a limit; n for two slots, in a file of at most 2**n bytes
    #   9  6  the first bytes of the key's SHA-256, which detect a file that was renamed to another key
    #  15  1  1 if the file is about to be replaced or deleted: see {Handle}. The checksum does not include it
    #
    # A slot begins with 32 bytes: CRC-32, length of the payload (4 bytes each), sequence, expires_at (8 each), idle
    # (4), serializer (1), 3 bytes of zero. The CRC-32 covers the head, the rest of these 32 bytes and the payload. All
    # numbers are little-endian.
    #
    # A write is one call, and goes to the slot that does not hold the newest valid record. So if only a part of the
    # write reaches the file, the old record is still valid. docs/adr/0009 has the reasons.
    module Format
      MAGIC = "frugalE1"
      HEAD = 16
      RECORD_HEAD = 32
      FLAG_AT = HEAD - 1
      RETIRED = "\1"
      IN_USE = "\0"
      SMALLEST = 12 # both slots are in the first block of most file systems
      LARGEST = 17  # 65,528 bytes in each slot
      HEADER = "a8Ca6x"
      FIELDS = "L<Q<Q<L<Cx3"
      private_constant :HEADER, :FIELDS

      class << self
        # @param digest [String] hexadecimal SHA-256 of the key
        # @param size [Integer] bytes of the payload
        # @return [String] the head of a file with space for the payload, and for some growth
        def head(digest, size)
          exponent = [SMALLEST, (2 * (size + (size / 4) + RECORD_HEAD) + HEAD - 1).bit_length].max
          exponent = LARGEST if exponent > LARGEST && fits?(LARGEST, size)
          [MAGIC, exponent > LARGEST ? 0 : exponent, id(digest)].pack(HEADER)
        end

        # @return [Boolean] whether the file with this head has two slots, each with space for a payload of this size
        def room?(head, size) = head.getbyte(8).positive? && fits?(head.getbyte(8), size)

        def retired?(head) = head.getbyte(FLAG_AT) != 0

        def offset(head, slot) = HEAD + (slot.zero? ? 0 : capacity(head.getbyte(8)))

        # @return [String] the bytes of the slot
        def encode(head, record) = record_head(head, record) << record.bytes

        # Copies the payload once, since it may be large.
        #
        # @return [String] the bytes of a new file
        def encode_file(head, record) = record_head(head, record).prepend(head) << record.bytes

        private

        def record_head(head, record)
          fields = [record.bytes.bytesize, *record.to_a.values_at(4, 2, 3, 1)].pack(FIELDS)
          [checksum(head, fields, record.bytes)].pack("L<") << fields
        end

        def id(digest) = [digest[0, 12]].pack("H*")

        def capacity(exponent) = ((1 << exponent) - HEAD) / 2

        def fits?(exponent, size) = RECORD_HEAD + size <= capacity(exponent)

        def checksum(head, fields, bytes)
          EntryRecord.checksum(bytes, EntryRecord.checksum(head.byteslice(0, FLAG_AT) << fields, 0))
        end
      end
    end
  end
end

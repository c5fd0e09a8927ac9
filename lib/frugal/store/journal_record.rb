# frozen_string_literal: true

require "zlib"

module Frugal
  class Store
    # All of a store's bytes as one transaction left them, in a slot of its journal: a
    # header, a mark of how far the store's own file has come, the bytes. A CRC tells
    # a record from one that a power cut left half written.
    #
    # The mark is written after the record was synced, and not synced itself. It is
    # only believed for what it says about the same record.
    class JournalRecord
      MAGIC = "frugalJ1"
      HEADER = "a8a16Q<Q<Q<" # magic, boot, inode, sequence, size; then the CRC of these and the bytes
      CRC_AT = 48
      MARK = "Q<Q<Q<" # sequence, state, mtime in ns; then a CRC
      MARK_AT = 64
      BYTES_AT = 128
      STATES = [nil, :begun, :applied].freeze
      NO_BOOT = ("\0" * Boot::SIZE).b.freeze
      private_constant :MAGIC, :HEADER, :CRC_AT, :MARK, :STATES, :NO_BOOT

      class << self
        # @return [String] what is written to a slot
        def encode(bytes, sequence:, inode:)
          header = [MAGIC, Boot.id || NO_BOOT, inode, sequence, bytes.bytesize].pack(HEADER)
          crc = Zlib.crc32(bytes, Zlib.crc32(header))
          String.new(capacity: BYTES_AT + bytes.bytesize) << header << [crc].pack("L<x76") << bytes
        end

        # @param state [Symbol] +:begun+ or +:applied+
        # @param mtime [Integer] of the store's file, in ns
        # @return [String] what is written at MARK_AT of the slot
        def mark(sequence, state, mtime)
          mark = [sequence, STATES.index(state), mtime].pack(MARK)
          mark << [Zlib.crc32(mark)].pack("L<")
        end
      end

      attr_reader :sequence, :inode, :size

      # @return [Symbol, nil] +:begun+: the store's file may be between this
      #   transaction and the one before; +:applied+: it is as the record says
      attr_reader :state

      # @return [Integer] of the store's file as it was applied, in ns
      attr_reader :mtime

      # @param head [String] the slot's first BYTES_AT bytes
      def initialize(head)
        @head = head
        magic, @boot, @inode, @sequence, @size = head.unpack(HEADER)
        @written = magic == MAGIC
        sequence, state, @mtime, crc = head.unpack("@#{MARK_AT}#{MARK}L<")
        @state = STATES[state] if sequence == @sequence && crc == Zlib.crc32(head[MARK_AT, 24])
      end

      # Whether something was written to the slot at all, whole or not.
      def written? = @written

      def this_boot? = @boot == Boot.id

      # @param bytes [String] what follows the head
      def whole?(bytes)
        bytes.bytesize == @size && Zlib.crc32(bytes, Zlib.crc32(@head[0, CRC_AT])) == @head.unpack1("@#{CRC_AT}L<")
      end
    end
  end
end

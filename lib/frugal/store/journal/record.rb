# frozen_string_literal: true

require "zlib"

module Frugal
  class Store
    class Journal
      # One slot of a journal: all bytes of the store after one transaction.
      #
      #   0         header: magic, boot id, inode, sequence, size, CRC
      #   MARK_AT   mark: sequence, state, mtime of the store's file, CRC
      #   BYTES_AT  the bytes of the store
      #
      # The header's CRC covers the header and the bytes, so it detects a record that a power
      # cut left incomplete. The mark records how far the store's own file was written. It is
      # written after the record was synced, and is not synced itself; it is valid only for the
      # record with the same sequence number.
      class Record
        MAGIC = "frugalJ1"
        HEADER = "a8a16Q<Q<Q<" # magic, boot id, inode, sequence, size
        CRC_AT = 48
        MARK = "Q<Q<Q<" # sequence, state, mtime in ns; its CRC follows
        MARK_AT = 64
        BYTES_AT = 128
        STATES = [nil, :begun, :applied].freeze
        NO_BOOT = ("\0" * Boot::SIZE).b.freeze
        private_constant :MAGIC, :HEADER, :CRC_AT, :MARK, :STATES, :NO_BOOT

        class << self
          # @return [String] the bytes of a slot
          def encode(bytes, sequence:, inode:)
            header = [MAGIC, Boot.id || NO_BOOT, inode, sequence, bytes.bytesize].pack(HEADER)
            crc = Zlib.crc32(bytes, Zlib.crc32(header))
            String.new(capacity: BYTES_AT + bytes.bytesize) << header << [crc].pack("L<x76") << bytes
          end

          # @param state [Symbol] +:begun+ or +:applied+
          # @param mtime [Integer] of the store's file, in ns
          # @return [String] the bytes at MARK_AT of the slot
          def mark(sequence, state, mtime)
            mark = [sequence, STATES.index(state), mtime].pack(MARK)
            mark << [Zlib.crc32(mark)].pack("L<")
          end
        end

        attr_reader :sequence, :inode, :size

        # @return [Symbol, nil] +:begun+: the store's file may hold parts of this
        #   transaction and of the previous one; +:applied+: it holds the record's bytes
        attr_reader :state

        # @return [Integer] the mtime of the store's file when the record was applied, in ns
        attr_reader :mtime

        # @param head [String] the slot's first BYTES_AT bytes
        def initialize(head)
          @head = head
          magic, @boot, @inode, @sequence, @size = head.unpack(HEADER)
          @written = magic == MAGIC
          sequence, state, @mtime, crc = head.unpack("@#{MARK_AT}#{MARK}L<")
          @state = STATES[state] if sequence == @sequence && crc == Zlib.crc32(head[MARK_AT, 24])
        end

        # Reports whether a record was written to the slot, complete or not.
        def written? = @written

        def this_boot? = @boot == Boot.id

        # @param bytes [String] the bytes after the head
        def complete?(bytes)
          bytes.bytesize == @size && Zlib.crc32(bytes, Zlib.crc32(@head[0, CRC_AT])) == @head.unpack1("@#{CRC_AT}L<")
        end
      end
    end
  end
end

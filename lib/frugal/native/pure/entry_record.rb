# frozen_string_literal: true

module Frugal
  module Native
    module Pure
      # Finds the newest valid record of an entry's file. lib/frugal/entries/format.rb describes the format.
      module EntryRecord
        HEAD = 16
        MAGIC = "frugalE1"
        EXPONENTS = (12..17)
        private_constant :MAGIC, :EXPONENTS

        class << self
          # @return [Boolean] whether this is the content of an entry's file
          def of?(content, digest)
            return false unless content.bytesize >= HEAD && content.start_with?(MAGIC)

            exponent = content.getbyte(8)
            content.byteslice(9, 6) == [digest[0, 12]].pack("H*") && (exponent.zero? || EXPONENTS.cover?(exponent))
          end

          # Zlib is loaded when it is needed: not every program that loads this engine has entries, and RubyGems may
          # call methods of the program to find the library.
          #
          # @return [Integer] CRC-32
          def checksum(bytes, crc)
            unless @loaded
              require "zlib"
              @loaded = true
            end
            Zlib.crc32(bytes, crc)
          end

          # @return [Struct, nil] the newest valid record, an object of `klass`
          def decode(content, klass)
            return if content.bytesize < HEAD

            slots = EXPONENTS.cover?(content.getbyte(8)) ? [0, 1] : [0]
            found = slots.filter_map { |slot| fields(content, slot) }
            found.sort_by! { |fields| -fields[2] } if found.size > 1
            found.each do |slot, length, sequence, expires_at, idle, serializer|
              bytes = payload(content, offset(content, slot), length)
              next unless bytes

              return klass.new(bytes, serializer, expires_at, idle, sequence, slot, settled?(content, sequence, slot))
            end
            nil
          end

          private

          # Whether the other slot is empty, or has the previous record.
          def settled?(content, sequence, slot)
            return true unless EXPONENTS.cover?(content.getbyte(8))

            at = offset(content, 1 - slot) + 8
            other = content.bytesize < at + 8 ? 0 : content.unpack1("Q<", offset: at)
            other.zero? || other == sequence - 1
          end

          def offset(content, slot) = HEAD + (slot.zero? ? 0 : ((1 << content.getbyte(8)) - HEAD) / 2)

          def fields(content, slot)
            at = offset(content, slot)
            return if content.bytesize < at + 32

            length, sequence, expires_at, idle, serializer = content.unpack("L<Q<Q<L<C", offset: at + 4)
            return if sequence.zero? || content.bytesize < at + 32 + length

            [slot, length, sequence, expires_at, idle, serializer]
          end

          def payload(content, offset, length)
            bytes = content.byteslice(offset + 32, length)
            head = content.byteslice(0, HEAD - 1) << content.byteslice(offset + 4, 28)
            bytes if content.unpack1("L<", offset: offset) == checksum(bytes, checksum(head, 0))
          end
        end
      end
    end
  end
end

# frozen_string_literal: true

require_relative "message_pack_gem"
require_relative "plain_data"

module Frugal
  class Store
    module Serializer
      # MessagePack: smaller than JSON, with binary strings, and with keys of any MessagePack
      # type. Loading it runs no code.
      class MessagePack
        PLAIN = PlainData.new("messagepack", integers: (-2**63)...(2**64), binary: true)
        PADDING = "\xC0".b.freeze # nil, which load ignores
        private_constant :PLAIN, :PADDING

        attr_reader :padding

        def initialize(canonical: false)
          @canonical = canonical
          @padding = PADDING
        end

        def name = :messagepack
        def canonical? = @canonical

        def check_key(key)
          PLAIN.check(key)
        rescue TypeError => e
          raise UsageError, e.message
        end

        def load(bytes)
          table = load_value(bytes)
          raise CorruptStore, "it contains #{table.class} instead of a map of roots" unless table.is_a?(Hash)

          table
        end

        def load_value(bytes)
          unpacker = ::MessagePack::Unpacker.new.feed(bytes)
          value = unpacker.read
          raise CorruptStore, "it has data behind its end" if unpacker.buffer.read.delete(PADDING) != ""

          value
        rescue EOFError
          raise CorruptStore, "it is truncated"
        rescue ::MessagePack::UnpackError, ArgumentError => e
          raise CorruptStore, "#{e.message} (#{e.class})"
        end

        def dump_value(value)
          PLAIN.check(value)
          ::MessagePack.pack(@canonical ? PLAIN.sorted(value) : value)
        end
        alias dump dump_value
      end
    end
  end
end

# frozen_string_literal: true

require_relative "plain_data"

begin
  require "msgpack"
rescue LoadError
  raise Frugal::UsageError, "serializer: :messagepack needs the gem msgpack, which is not here: add gem \"msgpack\" to the Gemfile, or gem install msgpack"
end

module Frugal
  class Store
    module Serializer
      # MessagePack: as JSON, but smaller, with bytes, and with keys of any of its
      # types; loading it runs no code.
      class MessagePack
        PLAIN = PlainData.new("messagepack", integers: (-2**63)...(2**64), binary: true)
        PADDING = "\xC0".b.freeze # nils, which nobody reads
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
        rescue TypeError => error
          raise UsageError, error.message
        end

        def load(bytes)
          table = load_value(bytes)
          raise CorruptStore, "it holds no map of roots, but #{table.class}" unless table.is_a?(Hash)

          table
        end

        def load_value(bytes)
          unpacker = ::MessagePack::Unpacker.new.feed(bytes)
          value = unpacker.read
          raise CorruptStore, "something follows its end" if unpacker.buffer.read.delete(PADDING) != ""

          value
        rescue EOFError
          raise CorruptStore, "it was cut off"
        rescue ::MessagePack::UnpackError, ArgumentError => error
          raise CorruptStore, "#{error.message} (#{error.class})"
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

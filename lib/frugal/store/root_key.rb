# frozen_string_literal: true

require_relative "../error"
require_relative "canonical_marshal"

module Frugal
  class Store
    # The keys of roots as bytes. Keys that are equal in a Hash have equal bytes.
    # Strings keep their order, and so do Symbols: all keys with a given prefix are a
    # contiguous range.
    #
    #   RootKey.encode("user:1", serializer)   # => "suser:1"
    #
    # A key that is not a String, Symbol or Integer is encoded as its canonical dump.
    module RootKey
      TAGS = { String => "s", Symbol => ":", Integer => "i" }.freeze
      BYTES = "b" # a binary String
      DUMP = "d"
      private_constant :TAGS, :BYTES, :DUMP

      class << self
        # @return [String] binary; frozen, because a Hash would copy an unfrozen key
        def encode(key, serializer)
          tag = TAGS[key.class]
          text = key.to_s if tag
          if tag && (text.ascii_only? || text.encoding == Encoding::UTF_8) then "#{tag}#{text}".b.freeze
          elsif tag == "s" && text.encoding == Encoding::BINARY then "#{BYTES}#{text}".b.freeze
          else "#{DUMP}#{dump(key, serializer)}".b.freeze
          end
        end

        # @raise [CorruptStore]
        def decode(bytes, serializer)
          text = bytes.byteslice(1..)
          case bytes[0]
          when "s" then text.force_encoding(Encoding::UTF_8).freeze
          when BYTES then text.freeze
          when ":" then text.force_encoding(Encoding::UTF_8).to_sym
          when "i" then Integer(text, 10)
          when DUMP then serializer.load_value(text)
          else raise CorruptStore, "unknown encoding of a key: #{bytes.inspect}"
          end
        end

        # Reports whether the encoded key is a dump of the serializer.
        def dump?(bytes) = bytes.start_with?(DUMP)

        # The ranges of encoded keys that begin with a prefix. There are two, because a String
        # with an ASCII prefix can be UTF-8 or binary; otherwise both are the same.
        #
        # @param prefix [String, Symbol]
        # @return [Array<Array(String, String)>] for each range, the first key in it, and the first key after it
        def ranges(prefix, serializer)
          first = encode(prefix, serializer)
          raise UsageError, "prefix: must be UTF-8 or binary (got #{prefix.inspect})" if dump?(first)

          ascii = prefix.is_a?(String) && prefix.ascii_only?
          [first, ascii ? first.sub(/\A./m, BYTES) : first].map { |start| [start, after(start)] }
        end

        private

        def after(start)
          last = start.bytes
          last.pop while last.last == 255
          last[-1] += 1
          last.pack("C*")
        end

        def dump(key, serializer)
          serializer.name == :marshal ? CanonicalMarshal.dump(key) : serializer.dump_value(key)
        end
      end
    end
  end
end

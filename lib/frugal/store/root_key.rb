# frozen_string_literal: true

require_relative "canonical_marshal"

module Frugal
  class Store
    # Keys of roots as bytes: keys that a Hash takes for one have the same. Strings
    # and Symbols stay in order, so that a prefix is a range.
    #
    #   RootKey.encode("user:1", serializer)   # => "suser:1"
    #
    # What is neither a String, a Symbol nor an Integer goes by its canonical dump.
    module RootKey
      TAGS = { String => "s", Symbol => ":", Integer => "i" }.freeze
      BYTES = "b" # of a String that is no UTF-8
      DUMP = "d"
      private_constant :TAGS, :BYTES, :DUMP

      class << self
        # @return [String] binary, and frozen: a Hash would copy another
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
          else raise CorruptStore, "a root's key is #{bytes.inspect}"
          end
        end

        # Two, since what begins with ASCII may be bytes behind that; maybe the same.
        #
        # @param prefix [String, Symbol]
        # @return [Array<Array(String, String)>] the first encoded key that begins so, and the first after those
        def ranges(prefix, serializer)
          first = encode(prefix, serializer)
          raise UsageError, "prefix: #{prefix.inspect} is neither UTF-8 nor binary" if first.start_with?(DUMP)

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

        def dump(key, serializer) = serializer.name == :marshal ? CanonicalMarshal.dump(key) : serializer.dump_value(key)
      end
    end
  end
end

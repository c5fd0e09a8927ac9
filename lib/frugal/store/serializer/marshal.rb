# frozen_string_literal: true

require_relative "../canonical_marshal"

module Frugal
  class Store
    module Serializer
      # PStore's format, for any object that Ruby can dump. Loading it can run code of
      # the classes that it names, so use it only for files that the program itself wrote.
      class Marshal
        CORRUPT = [TypeError, ArgumentError, EOFError, RangeError, RegexpError, EncodingError,
                   IndexError, FrozenError].freeze
        TOO_BIG = "st_table too big" # the message of a RuntimeError, for a Hash with too many pairs
        private_constant :CORRUPT, :TOO_BIG

        # @return [nil] because Ruby ignores all bytes after the table
        attr_reader :padding

        def initialize(canonical: false)
          @canonical = canonical
          @padding = nil
        end

        def name = :marshal
        def canonical? = @canonical

        def check_key(_key) = nil

        def load(bytes)
          table = load_value(bytes)
          raise CorruptStore, "it contains #{table.class} instead of a table of roots" unless table.is_a?(Hash)

          table
        end

        def load_value(bytes)
          ::Marshal.load(bytes)
        rescue *CORRUPT => e
          raise CorruptStore, e.message unless e.message.start_with?("undefined class/module")

          raise UsageError, "#{e.message}: require the file that defines it, then open the store"
        rescue RuntimeError => e
          raise CorruptStore, e.message if e.message == TOO_BIG

          raise
        end

        def dump_value(object) = @canonical ? CanonicalMarshal.dump(object) : ::Marshal.dump(object)
        alias dump dump_value
      end
    end
  end
end

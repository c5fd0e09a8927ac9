# frozen_string_literal: true

require_relative "../canonical_marshal"

module Frugal
  class Store
    module Serializer
      # PStore's own format, for any object that Ruby can dump. Loading runs code of
      # the classes that it names: only for files that the program itself wrote.
      class Marshal
        CORRUPT = [TypeError, ArgumentError, EOFError, RangeError, RegexpError, EncodingError, IndexError, FrozenError].freeze
        TOO_BIG = "st_table too big" # a RuntimeError, for a Hash of more pairs than can be
        private_constant :CORRUPT, :TOO_BIG

        # @return [nil] Ruby reads no further than the table
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
          raise CorruptStore, "it holds no table of roots, but #{table.class}" unless table.is_a?(Hash)

          table
        end

        def load_value(bytes)
          ::Marshal.load(bytes)
        rescue *CORRUPT => error
          raise UsageError, "#{error.message}: require what defines it, then open the store" if error.message.start_with?("undefined class/module")

          raise CorruptStore, error.message
        rescue RuntimeError => error
          raise CorruptStore, error.message if error.message == TOO_BIG

          raise
        end

        def dump_value(object) = @canonical ? CanonicalMarshal.dump(object) : ::Marshal.dump(object)
        alias dump dump_value
      end
    end
  end
end

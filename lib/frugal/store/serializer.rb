# frozen_string_literal: true

require_relative "../error"

module Frugal
  class Store
    # Converts roots to bytes and back. The interface of a serializer:
    #
    # [load(bytes), dump(table)]             all roots, for the engine +:file+
    # [load_value(bytes), dump_value(value)] one value, for the engines +:sqlite+ and +:redis+
    # [check_key(key)]                       raises UsageError for an object that cannot be a key
    # [padding]                              a byte that may follow the dump of a table; nil if any byte may
    # [name], [canonical?]                   the options that it was created with
    #
    # Loading raises {CorruptStore}. Dumping raises TypeError for an object that would be
    # loaded as a different object.
    module Serializer
      NAMES = { marshal: :Marshal, json: :JSON, messagepack: :MessagePack }.freeze
      private_constant :NAMES

      autoload :JSON, "#{__dir__}/serializer/json"
      autoload :Marshal, "#{__dir__}/serializer/marshal"
      autoload :MessagePack, "#{__dir__}/serializer/message_pack"

      class << self
        # @return [Marshal, JSON, MessagePack]
        # @raise [UsageError] for an unknown name, or a gem that is not installed
        def of(name, canonical)
          check_option("serializer", name, NAMES.keys)
          const_get(NAMES.fetch(name)).new(canonical: canonical)
        end

        # @raise [UsageError] if the value of an option is not one of +valid+
        def check_option(name, value, valid)
          return if valid.include?(value)

          *most, last = valid.map(&:inspect)
          raise UsageError, "#{name}: must be #{most.join(", ")} or #{last} (got #{value.inspect})"
        end
      end
    end
  end
end

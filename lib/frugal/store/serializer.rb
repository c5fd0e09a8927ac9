# frozen_string_literal: true

require_relative "../error"

module Frugal
  class Store
    # How roots become bytes. Each serializer answers:
    #
    # [load(bytes), dump(table)]             a whole table, for an engine that keeps one file
    # [load_value(bytes), dump_value(value)] one value, for an engine that keeps rows
    # [check_key(key)]                       raises UsageError for what cannot be a key
    # [padding]                              a byte that may follow a table, or nil where any may
    #
    # Loading raises {CorruptStore}; dumping raises TypeError for what would not come
    # back as it was.
    module Serializer
      NAMES = { marshal: :Marshal, json: :JSON, messagepack: :MessagePack }.freeze
      private_constant :NAMES

      autoload :JSON, "#{__dir__}/serializer/json"
      autoload :Marshal, "#{__dir__}/serializer/marshal"
      autoload :MessagePack, "#{__dir__}/serializer/message_pack"

      class << self
        # @return [Marshal, JSON, MessagePack]
        # @raise [UsageError] for an unknown name, or a gem that is not here
        def of(name, canonical)
          known = NAMES[name]
          raise UsageError, "serializer: it is #{NAMES.keys.map(&:inspect).join(", ")}, not #{name.inspect}" unless known

          const_get(known).new(canonical: canonical)
        end
      end
    end
  end
end

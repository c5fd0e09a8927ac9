# frozen_string_literal: true

require_relative "../../store/serializer/message_pack_gem"

module Frugal
  module Session
    class Serializer
      # MessagePack without extension types, so loading it runs no code.
      module MessagePack
        FACTORY = ::MessagePack::Factory.new
        private_constant :FACTORY

        def self.dump(session) = FACTORY.dump(session)
        def self.load(bytes) = FACTORY.load(bytes)
      end
    end
  end
end

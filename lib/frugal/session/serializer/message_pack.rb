# frozen_string_literal: true

begin
  require "msgpack"
rescue LoadError
  raise Frugal::UsageError, "serializer: :messagepack needs the gem msgpack, which is not installed: " \
                            "add gem \"msgpack\" to the Gemfile, or gem install msgpack"
end

module Frugal
  module Session
    class Serializer
      # MessagePack without extension types, so that loading it runs no code.
      module MessagePack
        FACTORY = ::MessagePack::Factory.new
        private_constant :FACTORY

        def self.dump(session) = FACTORY.dump(session)
        def self.load(bytes) = FACTORY.load(bytes)
      end
    end
  end
end

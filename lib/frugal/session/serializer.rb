# frozen_string_literal: true

require "json"
require_relative "../seal"

module Frugal
  module Session
    # Converts a session to bytes and back.
    #
    # JSON and MessagePack contain plain values: a Symbol is loaded as a String, and any other object is saved as its
    # `as_json` (with ActiveSupport), or as JSON.generate writes it, as in Rails' cookies. Marshal can run code when it
    # is loaded, so its bytes are sealed, and only those that were sealed for this session's id are loaded: see {Seal}.
    #
    # Each format has a number, which is saved with the bytes. A serializer reads every format that it can read safely,
    # so an application may change its format and keep its sessions.
    class Serializer
      NUMBERS = { json: 1, messagepack: 2, marshal: 3 }.freeze
      CUSTOM = 255
      private_constant :NUMBERS, :CUSTOM

      # @return [Integer] the number of the format in which it writes
      attr_reader :number

      # @param format [Symbol, #dump] `:json`, `:messagepack`, `:marshal`, or an object with `dump(hash)` and
      #   `load(bytes)`
      # @param secrets [String, Array<String>, nil] for Marshal: see {Seal}
      # @raise [UsageError]
      def initialize(format = :json, secrets = nil)
        @custom = format if format.respond_to?(:dump) && format.respond_to?(:load)
        @number = @custom ? CUSTOM : NUMBERS[format]
        check(format, secrets)
        @seal = Seal.new(secrets) if secrets
        require_relative "serializer/message_pack" if format == :messagepack
      end

      # @param id [String] of the session; Marshal's bytes are valid for this id only
      # @return [String] binary
      # @raise [StandardError] for a session that cannot be converted
      def dump(session, id)
        case @number
        when 1 then ::JSON.generate(plain(session)).b
        when 2 then MessagePack.dump(plain(session))
        when 3 then @seal.close(::Marshal.dump(session), "#{id}\0")
        else @custom.dump(session).b
        end
      end

      # @param number [Integer] of the format
      # @return [Hash, nil] nil if the format may not be read, or the bytes are not a session
      def load(bytes, number, id)
        session = value(bytes, number, id)
        session if session.is_a?(Hash)
      rescue StandardError, SystemStackError # a custom format and Marshal may raise any of them
        nil
      end

      private

      def check(format, secrets)
        unless @number
          raise UsageError, "serializer: must be :json, :messagepack, :marshal or an object with dump and load " \
                            "(got #{format.inspect})"
        end
        return if format != :marshal || secrets

        raise UsageError, "serializer: :marshal needs secret:, a random String of 32 bytes or more, because loading " \
                          "Marshal runs code"
      end

      def value(bytes, number, id)
        case number
        when 1 then ::JSON.parse(bytes.dup.force_encoding(Encoding::UTF_8)) # creates no objects of other classes
        when 2 then defined?(Frugal::Session::Serializer::MessagePack) && MessagePack.load(bytes)
        when 3 then sealed_value(bytes, id)
        when CUSTOM then @custom&.load(bytes)
        end
      end

      def plain(session) = session.respond_to?(:as_json) ? session.as_json : session

      # @return [Object, nil] nil unless the seal is genuine
      def sealed_value(bytes, id)
        body = @seal&.open(bytes, "#{id}\0")
        ::Marshal.load(body) if body # rubocop:disable Security/MarshalLoad
      end
    end
  end
end

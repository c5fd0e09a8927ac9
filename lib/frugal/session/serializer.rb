# frozen_string_literal: true

require "json"
require_relative "../error"

module Frugal
  module Session
    # Converts a session to bytes and back.
    #
    # JSON and MessagePack contain plain values: a Symbol is loaded as a String, and any other object is saved as its
    # `as_json` (with ActiveSupport), or as JSON.generate writes it, as in Rails' cookies. Marshal can run code when it
    # is loaded, so its bytes begin with an HMAC-SHA-256 with a secret, which is verified before anything is loaded.
    #
    # Each format has a number, which is saved with the bytes. A serializer reads every format that it can read safely,
    # so an application may change its format and keep its sessions.
    class Serializer
      NUMBERS = { json: 1, messagepack: 2, marshal: 3 }.freeze
      CUSTOM = 255
      MAC_BYTES = 32
      SHORTEST_SECRET = 32
      private_constant :NUMBERS, :CUSTOM, :MAC_BYTES, :SHORTEST_SECRET

      # @return [Integer] the number of the format in which it writes
      attr_reader :number

      # @param format [Symbol, #dump] `:json`, `:messagepack`, `:marshal`, or an object with `dump(hash)` and
      #   `load(bytes)`
      # @param secrets [String, Array<String>, nil] for Marshal; the first one is for writing, all are for reading
      # @raise [UsageError]
      def initialize(format = :json, secrets = nil)
        @custom = format if format.respond_to?(:dump) && format.respond_to?(:load)
        @number = @custom ? CUSTOM : NUMBERS[format]
        @secrets = Array(secrets).map(&:b).freeze
        check(format)
        require_relative "serializer/message_pack" if format == :messagepack
        require "openssl" if @secrets.any?
      end

      # @param id [String] of the session; Marshal's bytes are valid for this id only
      # @return [String] binary
      # @raise [StandardError] for a session that cannot be converted
      def dump(session, id)
        case @number
        when 1 then ::JSON.generate(plain(session)).b
        when 2 then MessagePack.dump(plain(session))
        when 3 then signed(::Marshal.dump(session), id)
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

      def check(format)
        unless @number
          raise UsageError, "serializer: must be :json, :messagepack, :marshal or an object with dump and load " \
                            "(got #{format.inspect})"
        end
        if format == :marshal && @secrets.empty?
          raise UsageError, "serializer: :marshal needs secret:, a random String of #{SHORTEST_SECRET} bytes or " \
                            "more, because loading Marshal runs code"
        end
        return if @secrets.all? { |secret| secret.bytesize >= SHORTEST_SECRET }

        raise UsageError, "secret: must have #{SHORTEST_SECRET} bytes or more"
      end

      def value(bytes, number, id)
        case number
        when 1 then ::JSON.parse(bytes.dup.force_encoding(Encoding::UTF_8)) # creates no objects of other classes
        when 2 then defined?(Frugal::Session::Serializer::MessagePack) && MessagePack.load(bytes)
        when 3 then signed_value(bytes, id)
        when CUSTOM then @custom&.load(bytes)
        end
      end

      def plain(session) = session.respond_to?(:as_json) ? session.as_json : session

      def signed(bytes, id) = mac(@secrets.first, bytes, id) << bytes

      # @return [Object, nil] nil unless the MAC proves that the bytes were written with one of the secrets
      def signed_value(bytes, id)
        return if bytes.bytesize < MAC_BYTES

        found = bytes.byteslice(0, MAC_BYTES)
        body = bytes.byteslice(MAC_BYTES..)
        genuine = @secrets.any? { |secret| ::OpenSSL.fixed_length_secure_compare(found, mac(secret, body, id)) }
        ::Marshal.load(body) if genuine # rubocop:disable Security/MarshalLoad
      end

      def mac(secret, bytes, id) = ::OpenSSL::HMAC.digest("SHA256", secret, "#{id}\0".b << bytes)
    end
  end
end

# frozen_string_literal: true

require_relative "error"

module Frugal
  # Proves that whoever wrote some bytes had a secret, and wrote them for this key: an HMAC-SHA-256 before the bytes. It
  # cannot detect that older bytes of the same key were put back.
  #
  #   seal = Seal.new(["the new secret, 32 bytes or more …", "the old secret"])
  #   seal.open(seal.close("bytes", "key"), "key")     # => "bytes"
  #   seal.open("forged" * 10, "key")                  # => nil
  class Seal
    # Bytes of the HMAC.
    BYTES = 32
    # Bytes of a secret for writing: as many as the HMAC has (RFC 2104, section 3).
    SHORTEST = 32
    # Bytes of an older secret, which only proves what was written with it.
    SHORTEST_OLD = 16
    private_constant :SHORTEST, :SHORTEST_OLD

    # Loads OpenSSL.
    #
    # @param secrets [String, Array<String>] the first one is for writing, all are for reading
    # @raise [UsageError] for secrets that are no Strings, or too short
    def initialize(secrets)
      secrets = [secrets] unless ::Array === secrets
      check(*secrets)
      require "openssl"
      @secrets = secrets.map(&:b).freeze
    end

    # @param bytes [String]
    # @param key [String, nil] what the bytes belong to; one key must not be the beginning of another one
    # @return [String] binary: the bytes, sealed
    def close(bytes, key = nil) = mac(@secrets.first, bytes, key) << bytes

    # @return [String, nil] the bytes; nil unless they were sealed with one of the secrets, for this key
    def open(sealed, key = nil)
      return if sealed.bytesize < BYTES

      found = sealed.byteslice(0, BYTES)
      bytes = sealed.byteslice(BYTES, sealed.bytesize)
      bytes if @secrets.any? { |secret| ::OpenSSL.fixed_length_secure_compare(found, mac(secret, bytes, key)) }
    end

    # Shows no secret.
    def inspect = "#<#{self.class}>"

    private

    def check(first = nil, *older)
      return if long?(first, SHORTEST) && older.all? { |secret| long?(secret, SHORTEST_OLD) }

      raise UsageError, "secret: must be a random String of #{SHORTEST} bytes or more, or an Array whose first " \
                        "String is that, and whose others, of #{SHORTEST_OLD} bytes or more, are older secrets"
    end

    def long?(secret, least) = ::String === secret && secret.bytesize >= least

    def mac(secret, bytes, key) = ::OpenSSL::HMAC.digest("SHA256", secret, key ? key.b << bytes : bytes)
  end
end

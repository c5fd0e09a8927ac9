# frozen_string_literal: true

require "openssl"

module Frugal
  class Store
    module Redis
      # The stored form of a root: a header, then the dump of its value.
      #
      #   version (16 digits), place (16 digits), "+" if it expires or "-", the letter of the
      #   serializer: a capital letter if 32 bytes of HMAC-SHA-256 follow
      #
      # The HMAC covers the name of the store, the key of the root and the dump, so a value that
      # was written without the secret, or moved to another root, is never loaded. It cannot
      # detect that an earlier value of the same root was restored.
      class Value
        LETTERS = { marshal: "m", json: "j", messagepack: "p" }.freeze
        VERSION = 16 # bytes
        PLACE = 16...32
        EXPIRES = 32
        LETTER = 33
        SEAL = 32 # bytes
        private_constant :EXPIRES, :SEAL

        # @param secret [String, nil]
        def initialize(name, serializer, secret)
          unless secret.nil? || (String === secret && secret.bytesize >= 16)
            raise UsageError, "secret: must be a String of at least 16 bytes"
          end

          @name = name
          @serializer = serializer.name
          @secret = secret
          letter = LETTERS.fetch(@serializer)
          @letter = secret ? letter.upcase : letter
        end

        # Reports whether all values are signed.
        def sealed? = !@secret.nil?

        # @return [String] the bytes after the part of the header that the server writes
        def pack(key, dump) = "#{@letter}#{seal(key, dump) if @secret}".b << dump

        # @param stored [String] binary
        # @return [String] the dump
        # @raise [CorruptStore, UsageError] for another serializer, or a wrong signature
        def unpack(key, stored)
          check_letter(key, stored[LETTER])
          return stored.byteslice((LETTER + 1)..) unless @secret

          dump = stored.byteslice((LETTER + 1 + SEAL)..)
          return dump if dump && OpenSSL.secure_compare(seal(key, dump), stored.byteslice(LETTER + 1, SEAL))

          raise CorruptStore, "#{root(key)} was not written with this secret"
        end

        def version(stored) = stored.byteslice(0, VERSION)
        def place(stored) = stored.byteslice(PLACE)
        def expires?(stored) = stored[EXPIRES] == "+"

        private

        def seal(key, dump)
          OpenSSL::HMAC.digest("SHA256", @secret, [@name, key].map { |part| "#{part.bytesize}:#{part}" }.join.b << dump)
        end

        def check_letter(key, letter)
          return if letter == @letter

          serializer = LETTERS.key(letter&.downcase)
          raise CorruptStore, "#{root(key)} was not written by this version of frugal" unless serializer

          if serializer != @serializer
            raise UsageError, "#{@name} is a store of #{serializer}, not of #{@serializer}: " \
                              "open it with serializer: :#{serializer}"
          end
          raise UsageError, "#{@name} is a store with a secret: open it with secret:" unless @secret

          raise CorruptStore, "#{root(key)} is not signed"
        end

        def root(key) = "the root #{key.inspect} of the store #{@name}"
      end
    end
  end
end

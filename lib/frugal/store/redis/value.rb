# frozen_string_literal: true

require_relative "../../seal"

module Frugal
  class Store
    module Redis
      # The stored form of a root: a header, then the dump of its value.
      #
      #   version (16 digits), place (16 digits), "+" if it expires or "-", the letter of the
      #   serializer: a capital letter if the dump is sealed
      #
      # The seal covers the name of the store, the key of the root and the dump, so a value that
      # was written without the secret, or moved to another root, is never loaded: see {Seal}.
      class Value
        LETTERS = { marshal: "m", json: "j", messagepack: "p" }.freeze
        VERSION = 16 # bytes
        PLACE = 16...32
        EXPIRES = 32
        LETTER = 33
        private_constant :EXPIRES

        # @param secrets [String, Array<String>, nil] see {Seal}
        def initialize(name, serializer, secrets)
          @name = name
          @serializer = serializer.name
          @seal = Seal.new(secrets) if secrets
          letter = LETTERS.fetch(@serializer)
          @letter = @seal ? letter.upcase : letter
        end

        # Reports whether all values are sealed.
        def sealed? = !@seal.nil?

        # @return [String] the bytes after the part of the header that the server writes
        def pack(key, dump) = @letter.b << (@seal ? @seal.close(dump, about(key)) : dump)

        # @param stored [String] binary
        # @return [String] the dump
        # @raise [CorruptStore, UsageError] for another serializer, or a wrong signature
        def unpack(key, stored)
          check_letter(key, stored[LETTER])
          dump = stored.byteslice((LETTER + 1)..)
          return dump unless @seal

          @seal.open(dump, about(key)) or raise CorruptStore, "#{root(key)} was not written with this secret"
        end

        def version(stored) = stored.byteslice(0, VERSION)
        def place(stored) = stored.byteslice(PLACE)
        def expires?(stored) = stored[EXPIRES] == "+"

        private

        def about(key) = [@name, key].map { |part| "#{part.bytesize}:#{part}" }.join

        def check_letter(key, letter)
          return if letter == @letter

          serializer = LETTERS.key(letter&.downcase)
          raise CorruptStore, "#{root(key)} was not written by this version of frugal" unless serializer

          if serializer != @serializer
            raise UsageError, "#{@name} is a store of #{serializer}, not of #{@serializer}: " \
                              "open it with serializer: :#{serializer}"
          end
          raise UsageError, "#{@name} is a store with a secret: open it with secret:" unless @seal

          raise CorruptStore, "#{root(key)} is not signed"
        end

        def root(key) = "the root #{key.inspect} of the store #{@name}"
      end
    end
  end
end

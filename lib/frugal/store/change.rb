# frozen_string_literal: true

module Frugal
  class Store
    # What a transaction makes of its file: see {SharedFile#write}. +image+ is what
    # the file is afterwards: bytes, or what gives them. Without +fresh+, nothing is
    # to be written.
    Change = Struct.new(:image, :base, :old, :fresh, :size, :final_size) do
      # @return [String] all of the file, as it is to be
      def bytes = image.is_a?(String) ? image : image.bytes

      # All of a file anew.
      #
      # @param old [String] binary and frozen
      # @param fresh [String]
      # @param padding [String, nil] a byte that overwrites what the file is to
      #   lose before it is cut, so that a kill between these leaves no old data
      # @return [Change] its image: the bytes
      def self.of_all(old, fresh, padding: nil)
        fresh = fresh.b.freeze
        short = old.bytesize - fresh.bytesize
        padded = padding && short.positive? ? (fresh + padding * short).freeze : fresh
        new(fresh, 0, old, padded, old.bytesize, fresh.bytesize)
      end
    end
  end
end

# frozen_string_literal: true

module Frugal
  class Store
    # The change that a transaction writes to its file: the arguments of {SharedFile#write},
    # and +image+, the content of the file afterwards, as bytes or as an object that has them.
    # If +fresh+ is nil, nothing has to be written.
    Change = Struct.new(:image, :base, :old, :fresh, :size, :final_size) do
      # @return [String] the complete content of the file afterwards
      def bytes = image.is_a?(String) ? image : image.bytes

      # Replaces the complete content.
      #
      # @param old [String] binary and frozen
      # @param fresh [String]
      # @param padding [String, nil] a byte that overwrites the rest of a longer old content
      #   before the file is truncated, so a kill between the two leaves no old data
      # @return [Change] its image is the bytes
      def self.of_all(old, fresh, padding: nil)
        fresh = fresh.b.freeze
        short = old.bytesize - fresh.bytesize
        padded = padding && short.positive? ? (fresh + padding * short).freeze : fresh
        new(fresh, 0, old, padded, old.bytesize, fresh.bytesize)
      end
    end
  end
end

# frozen_string_literal: true

require_relative "change"

module Frugal
  class Store
    # What a file holds, as bytes that a transaction decodes as a whole; what its
    # table has become is dumped as a whole, and compared with them.
    class WholeImage
      # @param bytes [String] binary and frozen
      # @param serializer [Serializer]
      def initialize(bytes, serializer)
        @bytes = bytes
        @serializer = serializer
      end

      # @return [Hash]
      # @raise [CorruptStore]
      def table(_read_only = false) = @bytes.empty? ? {} : @serializer.load(@bytes)

      # @param table [Hash]
      # @return [Change, nil] nil: the file is right as it is
      def change(table)
        return if @bytes.empty? && table.empty?

        fresh = @serializer.dump(table).b
        Change.of_all(@bytes, fresh, padding: @serializer.padding) unless fresh == @bytes
      end
    end
  end
end

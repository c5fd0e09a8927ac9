# frozen_string_literal: true

require_relative "change"

module Frugal
  class Store
    # The content of a file, kept in memory without an index: a transaction decodes all
    # roots, and the dump of all roots is compared with the bytes. Its counterpart with an
    # index is {MarshalRoots}.
    class UnindexedImage
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
      # @return [Change, nil] nil if the file need not be written
      def change(table)
        return if @bytes.empty? && table.empty?

        fresh = @serializer.dump(table).b
        Change.of_all(@bytes, fresh, padding: @serializer.padding) unless fresh == @bytes
      end
    end
  end
end

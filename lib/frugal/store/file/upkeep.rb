# frozen_string_literal: true

module Frugal
  class Store
    # Maintenance of a store that is one file.
    class FileUpkeep < Upkeep
      # @return [Array<Array(Object, Integer)>] each key with the size of its value in bytes
      def sizes
        index = self.index
        return indexed_sizes(index) if index

        serializer = Serializer.of(@format[:serializer], false)
        store.each.map { |key, value| [key, serializer.dump_value(value).bytesize] }
      end

      # Writes a new file with all roots that have not expired, as if they had been written in one transaction.
      #
      # @return [Array(Integer, Integer)] the file's size before and after, in bytes
      def compact
        before = File.size(@path)
        FileEngine.new(@path, durability: :fast, serializer: Serializer.of(@format[:serializer], false)).rewrite
        [before, File.size(@path)]
      end

      private

      def check = store.transaction(true) { index || super() } && nil

      def indexed_sizes(index)
        sizes = index.keys.each_with_index.map { |key, root| [key, index.span(root).last] }
        return sizes unless index.keys.include?(Expiry::ROOT)

        live = store.keys.to_h { |key| [key, true] }
        sizes.select { |key, _| live.key?(key) }
      end

      # An index finds the roots without decoding them, so their classes need not be loaded.
      #
      # @return [Native::C::MarshalIndex, nil] nil if the file must be decoded as a whole
      def index
        store.keys if File.exist?("#{@path}#{Journal::SUFFIX}") # recovers the file after a crash
        return unless @format[:serializer] == :marshal && !File.empty?(@path)

        Native.engine::MarshalIndex.new(File.binread(@path))
      end
    end
  end
end

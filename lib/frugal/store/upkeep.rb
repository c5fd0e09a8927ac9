# frozen_string_literal: true

require_relative "format"

module Frugal
  class Store
    # These files do not require this file.
    autoload :FileUpkeep, "#{__dir__}/file/upkeep"
    autoload :SQLiteUpkeep, "#{__dir__}/sqlite/upkeep"
    autoload :RedisUpkeep, "#{__dir__}/redis/upkeep"

    # Maintenance of a store of any kind: statistics, verification, compaction.
    #
    #   upkeep = Frugal::Store::Upkeep.of("app.store")
    #   upkeep.stats(largest: 3)   # => {engine: :file, serializer: :marshal, roots: 3, …}
    #   upkeep.problem             # => nil, or a description of the problem
    #   upkeep.compact             # => [bytes before, bytes after]
    class Upkeep
      # @return [Upkeep]
      # @raise [CorruptStore, UsageError, SystemCallError]
      def self.of(path)
        format = Format.of(path)
        case format[:engine]
        when :file then FileUpkeep
        when :sqlite then SQLiteUpkeep
        else RedisUpkeep
        end.new(path, format)
      end

      # @return [Hash] +engine:+ and +serializer:+
      attr_reader :format

      def initialize(path, format)
        @path = path
        @format = format
      end

      # @return [Store]
      def store = @store ||= Store.new(@path, **@format)

      # @param largest [Integer] how many of the largest roots to list
      # @return [Hash] +engine:+, +serializer:+, +roots:+ (their number), +bytes:+ (the size of
      #   the file, or of all values on a server) and +largest:+, an array of keys, each with the
      #   size of its value in bytes
      def stats(largest: 10)
        sizes = self.sizes
        { **@format, roots: sizes.size, bytes: bytes(sizes), largest: sizes.max_by(largest, &:last) }
      end

      # @return [String, nil] a description of the problem; nil if every root can be read
      def problem
        check
      rescue CorruptStore => e
        e.message
      end

      private

      # Reads every root.
      #
      # @return [String, nil] as {#problem}
      # @raise [CorruptStore]
      def check = store.each {} && nil

      def bytes(_sizes) = File.size(@path)
    end
  end
end

# frozen_string_literal: true

require_relative "format"

module Frugal
  class Store
    # What is done to a whole store now and then, of whatever kind it is.
    #
    #   upkeep = Frugal::Store::Upkeep.of("app.store")
    #   upkeep.stats(largest: 3)   # => {engine: :file, serializer: :marshal, roots: 3, …}
    #   upkeep.problem             # => nil, or what is wrong
    #   upkeep.compact             # => [bytes before, bytes after]
    class Upkeep
      autoload :OfFile, "#{__dir__}/upkeep/of_file"
      autoload :OfSQLite, "#{__dir__}/upkeep/of_sqlite"

      # @return [Upkeep]
      # @raise [CorruptStore, UsageError, SystemCallError]
      def self.of(path)
        format = Format.of(path)
        (format[:engine] == :sqlite ? OfSQLite : OfFile).new(path, format)
      end

      # @return [Hash] +engine:+ and +serializer:+
      attr_reader :format

      def initialize(path, format)
        @path = path
        @format = format
      end

      # @return [Store]
      def store = @store ||= Store.new(@path, **@format)

      # @param largest [Integer] how many roots are named
      # @return [Hash] +engine:+, +serializer:+, +roots:+ (how many), +bytes:+ of the
      #   file, and +largest:+, an array of keys with the bytes of their values
      def stats(largest: 10)
        sizes = self.sizes
        { **@format, roots: sizes.size, bytes: File.size(@path), largest: sizes.max_by(largest) { |_, bytes| bytes } }
      end
    end
  end
end

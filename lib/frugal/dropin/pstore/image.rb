# frozen_string_literal: true

require_relative "../../constants"

module Frugal
  module Dropin
    module Pstore
      # What a file holds, as bytes: a transaction decodes all of them, by the hooks
      # of its store, and what the hooks make of its table is compared with them.
      class Image
        # Bytes as an IO, as far as Marshal and Psych ask one: StringIO would be a feature
        # that the program has not loaded.
        class Source
          def initialize(bytes)
            @bytes = bytes
            @at = 0
          end

          def external_encoding = @bytes.encoding

          def getbyte = read(1)&.ord

          def read(length = @bytes.bytesize)
            part = @bytes.byteslice(@at, length)
            @at += part.bytesize
            part unless part.empty? && length.positive?
          end
        end
        private_constant :Source

        CORRUPTED = "PStore file seems to be corrupted."
        private_constant :CORRUPTED

        # @param bytes [String] binary and frozen
        # @param store [PStore]
        # @param format [Symbol] see {Formats}
        # @return [Image, Store::MarshalRoots]
        def self.of(bytes, store, format)
          (Frugal::Store::MarshalRoots.of(bytes) if format == :marshal) || new(bytes, store, format)
        end

        def initialize(bytes, store, format)
          @bytes = bytes
          @store = store
          @padding = "\n" if format == :yaml
        end

        # @return [Hash]
        # @raise [PStore::Error] and what the hook raises
        def table(read_only)
          return {} if @bytes.empty?

          table = load(read_only)
          raise ::PStore::Error, CORRUPTED unless table.is_a?(Hash)

          table
        end

        # @param table [Hash]
        # @return [Store::Change, nil] nil: the file is right as it is
        def change(table)
          fresh = @store.__send__(:dump, table)
          Frugal::Store::Change.of_all(@bytes, fresh, padding: @padding) unless unchanged?(fresh)
        end

        private

        # Stock reads a file that it does not change through its IO, which fails in
        # other words.
        def load(read_only)
          @store.__send__(:load, @bytes.dup)
        rescue ArgumentError, TypeError, *syntax_errors
          raise unless read_only

          @store.__send__(:load, Source.new(@bytes))
        end

        # No more than these: an interrupt may be any StandardError. While Psych is not
        # loaded, nothing can have raised an error of its class.
        def syntax_errors = [Constants.loaded("Psych::Exception")].compact

        def unchanged?(fresh)
          return @bytes == fresh.b unless @bytes.empty?

          fresh.bytesize == @store.__send__(:empty_marshal_data).bytesize &&
            ::PStore.const_get(:CHECKSUM_ALGO).digest(fresh) == @store.__send__(:empty_marshal_checksum)
        end
      end
    end
  end
end

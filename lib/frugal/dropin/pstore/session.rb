# frozen_string_literal: true

require "stringio"

module Frugal
  module Dropin
    module Pstore
      # What a PStore has between its transactions: the bytes of its file, and how
      # to make a table of them, by the store's own hooks.
      class Session
        CORRUPTED = "PStore file seems to be corrupted."
        private_constant :CORRUPTED

        # @return [Object] what ends a transaction when it is thrown
        attr_reader :tag

        def initialize(store, filename, format)
          @store = store
          @format = format
          @tag = Pstore.tag(store)
          @file = Frugal::Store::SharedFile.new
          @filename = @path = nil
          locate(filename)
        end

        # @return [Hash, nil] the table; nil where stock's transaction must run
        # @raise [PStore::Error, SystemCallError, ArgumentError, EOFError]
        def enter(filename, read_only, nofollow)
          locate(filename) unless filename.equal?(@filename)
          follow = nofollow.nil? || nofollow.zero?
          return if read_only && @format == :own

          bytes = read_only ? @file.share(@path, follow) : @file.claim(@path, follow)
          @original = bytes
          bytes.nil? || bytes.empty? ? {} : decode(bytes, read_only)
        rescue Frugal::Store::SharedFile::Nested
          raise ::PStore::Error, "nested transaction"
        rescue Frugal::Store::SharedFile::Special
          nil
        end

        # Writes what the table has become, if it has changed.
        def save(table, _filename, ultra_safe, nofollow)
          fresh = @store.__send__(:dump, table)
          return if unchanged?(fresh)

          if ultra_safe
            @file.supersede(@path, fresh, nofollow.nil? || nofollow.zero?)
          else
            @file.replace(@path, fresh, padding: @format == :yaml ? "\n" : nil)
          end
        rescue Frugal::Store::SharedFile::Inherited
          raise ::PStore::Error, "the transaction is the parent process's"
        end

        def leave = @file.release

        # In inspect, the bytes would be too much.
        def inspect = "#<#{self.class}>"

        private

        def locate(filename)
          @filename = filename
          @path = filename.is_a?(String) ? filename : ::File.path(filename)
        end

        def decode(bytes, read_only)
          table = load(bytes, read_only)
          raise ::PStore::Error, CORRUPTED unless table.is_a?(Hash)

          table
        end

        # Stock reads a file that it does not change through its IO, which fails in
        # other words.
        def load(bytes, read_only)
          @store.__send__(:load, bytes.dup)
        rescue StandardError
          raise unless read_only

          @store.__send__(:load, StringIO.new(bytes))
        end

        def unchanged?(fresh)
          return @original == fresh.b unless @original.empty?

          fresh.bytesize == @store.__send__(:empty_marshal_data).bytesize &&
            ::PStore.const_get(:CHECKSUM_ALGO).digest(fresh) == @store.__send__(:empty_marshal_checksum)
        end
      end
    end
  end
end

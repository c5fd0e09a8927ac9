# frozen_string_literal: true

require_relative "../../constants"

module Frugal
  module Dropin
    module Pstore
      # The content of a file as bytes, without an index. A transaction decodes all of them
      # with the hooks of its store, and compares them with the dump of its table.
      class Image
        # The bytes as an IO, with the methods that Marshal and Psych call. StringIO would add a
        # feature to the program's $LOADED_FEATURES.
        class Source
          # JRuby's Psych names the file in its errors, MRI's does not.
          attr_reader :path if Platform::JRUBY

          def initialize(bytes, path)
            @bytes = bytes
            @path = path
            @at = 0
          end

          def external_encoding = @bytes.encoding

          def getbyte = read(1)&.ord
          alias getc getbyte # JRuby's Marshal asks whether it is there, but does not call it

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
        # @param outdated [Image, Store::MarshalRoots, nil] the image of the previous content
        # @return [Image, Store::MarshalRoots]
        def self.of(bytes, store, format, outdated)
          roots = Frugal::Store::MarshalRoots
          (roots.of(bytes, (outdated if roots === outdated)) if format == :marshal) || new(bytes, store, format)
        end

        def initialize(bytes, store, format)
          @bytes = bytes
          @store = store
          @padding = "\n" if format == :yaml
        end

        # @param store [PStore]
        # @return [Image] the same bytes, decoded with the hooks of this store
        def by(store) = @store.equal?(store) ? self : dup.tap { |image| image.store = store }

        # @return [Hash]
        # @raise [PStore::Error] and what the hook raises
        def table(read_only)
          return {} if @bytes.empty?

          table = load(read_only)
          raise ::PStore::Error, CORRUPTED unless table.is_a?(Hash)

          table
        end

        # @param table [Hash]
        # @return [Store::Change, nil] nil if the file need not be written
        def change(table)
          fresh = @store.__send__(:dump, table)
          Frugal::Store::Change.of_all(@bytes, fresh, padding: @padding) unless unchanged?(fresh)
        end

        protected

        attr_writer :store

        private

        # In a read-only transaction, stock loads from an IO instead of a String, and errors have
        # other messages. So if the String fails, this loads again from an IO. JRuby's Psych refuses
        # some bytes of an IO that it accepts in a String.
        def load(read_only)
          unless read_only && Platform::JRUBY
            begin
              return @store.__send__(:load, @bytes.dup)
            rescue ArgumentError, TypeError, *syntax_errors
              raise unless read_only
            end
          end
          load_from_io # not in the rescue: stock's error has no cause
        end

        def load_from_io = @store.__send__(:load, Source.new(@bytes, @store.instance_variable_get(:@filename)))

        # Psych's syntax errors, if Psych is loaded. The rescue does not name StandardError, because an
        # interrupt may raise any subclass of it.
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

# frozen_string_literal: true

module Frugal
  module Dropin
    module Pstore
      # What a PStore has between its transactions: its file, and an image of what
      # that held last.
      class Session < Frugal::Store::SharedFile
        def initialize(store, filename, format)
          super()
          @store = store
          @format = format
          @image = nil # bytes, until they are asked for
          locate(filename)
        end

        # The table of a transaction that `table` has none for.
        #
        # @return [Hash, Store::MarshalTable, nil] nil where stock's transaction must run
        # @raise [PStore::Error, SystemCallError] and what the store's hooks raise
        def enter(filename, read_only, nofollow)
          locate(filename) unless @filename.equal?(filename)
          return if read_only && @format == :own

          follow = !nofollow || nofollow.zero?
          found = read_only ? share(@path, follow) : claim(@path, follow)
          table = found.nil? ? {} : table_of(found, read_only)
        rescue Nested
          raise ::PStore::Error, "nested transaction"
        rescue Special
          nil
        ensure
          forget unless table # what was read is no image yet, if an interrupt came between
        end

        # Writes what the table has become, if it has changed.
        #
        # @raise [SystemCallError, TypeError] and what the store's hooks raise
        def save(table, ultra_safe, nofollow)
          forget # until the file is what the image is
          change = @image.change(table) { reread(@path) }
          return believe unless change

          self.image = change.image unless change.image.equal?(@image)
          change.fresh ? put(change, ultra_safe, !nofollow || nofollow.zero?) : believe
        rescue Inherited
          raise ::PStore::Error, "the transaction is the parent process's"
        end

        # In an inspected store, the bytes would be too much.
        def inspect = "#<#{self.class}>"

        private

        def locate(filename)
          @filename = filename
          @path = String === filename ? filename : ::File.path(filename)
          forget
        end

        def table_of(found, read_only)
          self.image = Image.of(found, @store, @format) unless true.equal?(found)
          self.image = Image.of(@image, @store, @format) if String === @image
          @image.table(read_only)
        end

        def image=(image)
          @image = image
          index = image.index if Frugal::Store::MarshalRoots === image && String === @filename
          index ? remember(@filename, index, image.table) : remember(nil, nil, nil)
        end

        def put(change, ultra_safe, follow)
          return supersede(@path, change.bytes, follow) if ultra_safe

          write(@path, change.base, change.old, change.fresh, change.size, change.final_size)
        end
      end
    end
  end
end

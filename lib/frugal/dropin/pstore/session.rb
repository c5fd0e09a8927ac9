# frozen_string_literal: true

module Frugal
  module Dropin
    module Pstore
      # What a PStore has between its transactions: its file, and an image of what
      # that held last.
      class Session < Frugal::Store::SharedFile
        # @return [Object] what ends a transaction when it is thrown
        attr_reader :tag

        def initialize(store, filename, format)
          super()
          @store = store
          @format = format
          @tag = Pstore.tag(store)
          @image = nil # bytes, until they are asked for
          locate(filename)
        end

        # @return [Hash, Store::MarshalTable, nil] the table; nil where stock's transaction must run
        # @raise [PStore::Error, SystemCallError] and what the store's hooks raise
        def enter(filename, read_only, nofollow)
          locate(filename) unless @filename.equal?(filename)
          return if read_only && @format == :own

          follow = !nofollow || nofollow.zero?
          found = read_only ? fresh?(@path, follow) : acquire(@path, follow, true)
          @image = image(found, read_only, follow) unless true.equal?(found) && @image && !(String === @image)
          @image ? @image.table(read_only) : {}
        rescue Nested
          raise ::PStore::Error, "nested transaction"
        rescue Special
          nil
        end

        # Writes what the table has become, if it has changed.
        #
        # @raise [SystemCallError, TypeError] and what the store's hooks raise
        def save(table, ultra_safe, nofollow)
          image, @image = @image, nil # until the file is what the image will be
          change = image.change(table) { read(@path) }
          if change
            put(change, ultra_safe, !nofollow || nofollow.zero?) if change.fresh
            image = change.image
          end
          @image = image
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

        # @param found [true, false, nil, Symbol] what is known of the file
        # @return [Image, Store::MarshalRoots, nil] nil: no such file
        def image(found, read_only, follow)
          found = nil.equal?(@image) && true.equal?(found) ? again(read_only, follow) : look_at(found, read_only, follow)
          return if found.nil?

          bytes = true.equal?(found) ? @image : found
          String === bytes ? Image.of(bytes, @store, @format) : bytes
        end

        def look_at(found, read_only, follow)
          read_only ? share(@path, follow, found) : claim(@path, follow, found)
        end

        # An image that a transaction lost is read again.
        def again(read_only, follow)
          forget
          read_only ? share(@path, follow) : claim(@path, follow)
        end

        def put(change, ultra_safe, follow)
          return supersede(@path, change.whole.call, follow) if ultra_safe

          write(@path, change.base, change.old, change.fresh, change.size, change.final_size)
        end
      end
    end
  end
end

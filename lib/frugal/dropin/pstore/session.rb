# frozen_string_literal: true

module Frugal
  module Dropin
    module Pstore
      # What a PStore has between its transactions: its file, and an image of what
      # that held last.
      class Session
        # @return [Object] what ends a transaction when it is thrown
        attr_reader :tag

        def initialize(store, filename, format)
          @store = store
          @format = format
          @tag = Pstore.tag(store)
          @file = Frugal::Store::SharedFile.new
          @image = nil # bytes, until they are asked for
          locate(filename)
        end

        # @return [Hash, Store::MarshalTable, nil] the table; nil where stock's transaction must run
        # @raise [PStore::Error, SystemCallError] and what the store's hooks raise
        def enter(filename, read_only, nofollow)
          locate(filename) unless @filename.equal?(filename)
          return if read_only && @format == :own

          found = look(read_only, nofollow.nil? || nofollow.zero?)
          return {} if found.nil?

          @image = found unless true.equal?(found)
          @image = Image.of(@image, @store, @format) if String === @image
          @image.table(read_only)
        rescue Frugal::Store::SharedFile::Nested
          raise ::PStore::Error, "nested transaction"
        rescue Frugal::Store::SharedFile::Special
          nil
        end

        # Writes what the table has become, if it has changed.
        #
        # @raise [SystemCallError, TypeError] and what the store's hooks raise
        def save(table, ultra_safe, nofollow)
          image, @image = @image, nil # until the file is what the image will be
          change = image.change(table) { @file.read(@path) }
          if change
            write(change, ultra_safe, nofollow) if change.fresh
            image = change.image
          end
          @image = image
        rescue Frugal::Store::SharedFile::Inherited
          raise ::PStore::Error, "the transaction is the parent process's"
        end

        def leave = @file.release

        # In an inspected store, the bytes would be too much.
        def inspect = "#<#{self.class}>"

        private

        def locate(filename)
          @filename = filename
          @path = String === filename ? filename : ::File.path(filename)
          @file.forget
        end

        # An image that a transaction lost is read again.
        def look(read_only, follow)
          found = read_only ? @file.share(@path, follow) : @file.claim(@path, follow)
          return found unless true.equal?(found) && @image.nil?

          @file.forget
          read_only ? @file.share(@path, follow) : @file.claim(@path, follow)
        end

        def write(change, ultra_safe, nofollow)
          if ultra_safe
            @file.supersede(@path, change.whole.call, nofollow.nil? || nofollow.zero?)
          else
            @file.write(@path, change.base, change.old, change.fresh, change.size, change.final_size)
          end
        end
      end
    end
  end
end

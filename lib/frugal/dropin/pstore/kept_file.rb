# frozen_string_literal: true

module Frugal
  module Dropin
    module Pstore
      # What is kept between the transactions of one or more PStore objects: a file, and an
      # image of its content (an {Image} or a {Store::MarshalRoots}).
      class KeptFile < Frugal::Store::SharedFile
        # @return [String, nil] the path of the file
        attr_reader :path

        def initialize(format)
          super()
          @format = format
          @image = @path = nil # the image is the bytes, until a transaction needs its table
        end

        # @return [KeptFile] a kept file that is in no transaction, for use instead of this one
        def another(filename) = self.class.for(filename, @format)

        def self.for(filename, format)
          (KeptFiles.find(::File.path(filename)) if format == :marshal) || new(format)
        end

        # Inherited from StoreFile: enter(store, ::File, filename, read_only, nofollow, table) begins
        # a transaction and returns its table; nil: call open_table; false: another transaction
        # has the file, and nothing has begun. leave(store) ends the transaction.

        # The table of a transaction for which enter returned nil.
        #
        # @return [Hash, Store::MarshalTable, nil] nil if stock's transaction must run
        # @raise [PStore::Error, SystemCallError] and what the store's hooks raise
        def open_table(store, filename, read_only, nofollow)
          @path = path_of(filename)
          return if (read_only && @format == :own) || !Pstore.ruby_file?

          follow = !nofollow || nofollow.zero?
          found = read_only ? share(@path, follow) : claim(@path, follow)
          table = found.nil? ? {} : table_of(store, found, read_only)
        rescue Nested
          raise ::PStore::Error, "nested transaction"
        rescue Special
          nil
        ensure
          invalidate unless table # an interrupt may have come after the read, before @image was set
        end

        # Writes the table, if it has changed.
        #
        # @raise [SystemCallError, TypeError] and what the store's hooks raise
        def save(table, filename, ultra_safe, nofollow)
          @path = path_of(filename)
          invalidate # the image is invalid until the file is written
          change = @image.change(table) { reread(@path) }
          return revalidate unless change

          self.image = change.image unless change.image.equal?(@image)
          change.fresh ? put(change, ultra_safe, !nofollow || nofollow.zero?) : revalidate
          KeptFiles.keep(self) if @index && change.size != change.final_size
        rescue Inherited
          raise ::PStore::Error, "the transaction is the parent process's"
        end

        # @return [Integer] bytes
        def memsize = @index ? @index.memsize : 0

        # Removes its image, which another kept file takes over.
        #
        # @return [Image, Store::MarshalRoots]
        def hand_over
          invalidate
          @image
        ensure
          self.image = nil
        end

        # Without the bytes, which would be part of the inspected PStore.
        def inspect = "#<#{self.class}>"

        private

        # @return [String, true] true if another kept file had the content
        def fetch(path)
          other = KeptFiles.of_same_file(self) if @format == :marshal
          other && take_image(other) ? true : super
        end

        # Returns false if another thread has begun a transaction with the other file meanwhile.
        def take_image(other)
          return false unless other.seize(self) && same?(other)

          self.image = other.hand_over
          revalidate
          true
        ensure
          other.leave(self)
        end

        def path_of(filename) = String === filename ? filename : ::File.path(filename)

        def table_of(store, found, read_only)
          self.image = Image.of(found, store, @format, @image) unless true.equal?(found)
          self.image = Image.of(@image, store, @format, nil) if String === @image
          @image = @image.by(store) if Image === @image
          @image.table(read_only)
        end

        # An image without an index decodes with the hooks of one store, so it is not shared.
        def image=(image)
          @image = image
          @index = (image.index if Frugal::Store::MarshalRoots === image)
          remember(@index, @index && Frugal::Store::MarshalTable)
          @index && @format == :marshal ? KeptFiles.keep(self) : drop
        end

        def put(change, ultra_safe, follow)
          return replace(@path, change.bytes, follow) if ultra_safe

          write(@path, change.base, change.old, change.fresh, change.size, change.final_size)
        end
      end
    end
  end
end

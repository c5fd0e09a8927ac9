# frozen_string_literal: true

require_relative "../../native"
Frugal::Native.need(:stores)
require_relative "change"
require_relative "marshal_table" if Frugal::Native.can?(:MarshalTable)

module Frugal
  class Store
    # The content of a Marshal file, as an index of its roots: a transaction decodes only
    # the roots that it reads, and dumps only the roots that it may have changed.
    class MarshalRoots
      # In bytes. A write within one page is atomic, so no old bytes are needed to undo it. Up to
      # SMALL, the bytes to be overwritten are copied from the index; beyond, the file is read.
      PAGE = 4_096
      SMALL = 16_384
      # Loaded with this file: a transaction in a signal handler or a chroot cannot require it.
      INDEX = Native.engine::MarshalIndex
      private_constant :PAGE, :SMALL, :INDEX

      # @param bytes [String] binary and frozen
      # @param outdated [MarshalRoots, nil] a MarshalRoots whose memory is reused; it must not be used again
      # @return [MarshalRoots, nil] nil if the bytes must be loaded as a whole, because they
      #   are empty or damaged, loading them runs code, or the engine is the pure one
      def self.of(bytes, outdated = nil)
        index = INDEX.new(bytes, outdated&.index) unless bytes.empty?
        new(index) if index && !index.code? && (!index.times? || stock_times?)
      end

      # Whether only Ruby's own code loads a Time.
      def self.stock_times?
        load = ::Time.method(:_load)
        load.source_location.nil? && load.owner.equal?(::Time.singleton_class) && !::Time.respond_to?(:find_timezone)
      end
      private_class_method :stock_times?

      # @return [Native::C::MarshalIndex]
      attr_reader :index

      def initialize(index)
        @index = index
      end

      # @return [String]
      def bytes = @index.bytes

      # @return [MarshalTable]
      def table(_read_only = false) = MarshalTable.new(@index)

      # @param table [MarshalTable, Hash] a Hash if the program replaced the table by a Hash
      # @yieldreturn [String] the bytes of the file, if an update has destroyed the index
      # @return [Change, nil] nil if the file need not be written
      def change(table, &bytes)
        return dump_all(table, @index.bytes) unless MarshalTable === table
        return if table.unchanged?

        number, dump = table.single
        return update(table, [number], [], 0, dump, &bytes) if number

        changed, removed, added = table.changes
        return dump_all(table.to_hash, @index.bytes) unless changed

        values = table.values_of(changed)
        values.concat(added.to_a.flatten(1)) unless added.empty?
        dump = ::Marshal.dump(values)
        return if removed.empty? && added.empty? && dump == @index.dump_of(changed) && !sharing_broken?(changed)

        change = update(table, changed, removed, added.size, dump, &bytes)
        table.renumber unless removed.empty? && added.empty?
        change
      end

      private

      # Whether one of the changed roots shared objects with an unchanged root. Its new value
      # may have the same dump, but shares nothing.
      def sharing_broken?(changed)
        return false if changed.none? { |number| @index.group(number) } # the usual case, without a Hash

        left = changed.to_h { |number| [number, true] }
        until left.empty?
          number, = left.shift
          @index.group(number)&.each { |other| return true unless other == number || left.delete(other) }
        end
        false
      end

      def update(table, changed, removed, added, dump)
        size = @index.bytesize
        old = @index.bytes if size > PAGE && size <= SMALL
        patches = @index.update(changed, removed, added, dump)
        return patched(patches, old, size) if patches

        bytes = yield
        dump_all(table.to_hash(bytes), bytes) || Change.new(bytes)
      end

      # Joins the patches to one write: a fault then leaves all of them or none.
      def patched(patches, old, size)
        return if patches.empty? && size == @index.bytesize

        base, fresh = patches.first || [@index.bytesize, ""]
        finish = base + fresh.bytesize
        if patches.size > 1
          finish = patches.last.then { |offset, bytes| offset + bytes.bytesize }
          fresh = @index.slice(base, finish - base)
        end
        old = old.byteslice(base, finish - base) if old
        image = @index.code? ? @index.bytes.freeze : self
        Change.new(image, base, old&.freeze, fresh.freeze, size, @index.bytesize)
      end

      def dump_all(table, bytes)
        fresh = ::Marshal.dump(table)
        Change.of_all(bytes.freeze, fresh) unless fresh == bytes
      end
    end
  end
end

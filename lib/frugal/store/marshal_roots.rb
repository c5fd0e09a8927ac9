# frozen_string_literal: true

require_relative "../native"
require_relative "change"
require_relative "marshal_table" if Frugal::Native.engine.const_defined?(:MarshalTable) # the pure engine has none

module Frugal
  class Store
    # What a file holds, as an index of its roots: a transaction decodes those
    # that it asks for, and dumps again those that it may have changed.
    class MarshalRoots
      # Bytes: one page is written or is not; of some more, what is overwritten is
      # copied sooner than read.
      PAGE = 4_096
      SMALL = 16_384
      # Loaded here: in a handler of a signal or a chroot, a transaction can require nothing.
      INDEX = Native.engine::MarshalIndex
      private_constant :PAGE, :SMALL, :INDEX

      # @param bytes [String] binary and frozen
      # @return [MarshalRoots, nil] nil where the bytes have to be loaded whole:
      #   they are empty or damaged, hold what loading runs code for, or are read by
      #   the pure engine
      def self.of(bytes)
        index = INDEX.new(bytes) unless bytes.empty?
        new(index) if index && !index.code? && (!index.times? || times_as_ever?)
      end

      # Whether a Time is loaded by Ruby's own code alone.
      def self.times_as_ever?
        load = ::Time.method(:_load)
        load.source_location.nil? && load.owner.equal?(::Time.singleton_class) && !::Time.respond_to?(:find_timezone)
      end
      private_class_method :times_as_ever?

      # @return [Native::C::MarshalIndex]
      attr_reader :index

      def initialize(index)
        @index = index
      end

      # @return [String]
      def bytes = @index.bytes

      # @return [MarshalTable]
      def table(_read_only = false) = MarshalTable.new(@index)

      # @param table [MarshalTable, Hash] a Hash where a program put it there
      # @yieldreturn [String] the bytes of the file; the index may be lost on the way
      # @return [Change, nil] nil: the file is right as it is
      def change(table, &bytes)
        return whole(table, @index.bytes) unless MarshalTable === table
        return if table.unchanged?

        number, dump = table.single
        return update(table, [number], [], 0, dump, &bytes) if number

        changed, removed, added = table.changes
        return whole(table.to_hash, @index.bytes) unless changed

        dump = ::Marshal.dump(table.values_of(changed).concat(added.to_a.flatten(1)))
        return if removed.empty? && added.empty? && dump == @index.dump_of(changed) && !parted?(changed)

        change = update(table, changed, removed, added.size, dump, &bytes)
        table.renumber unless removed.empty? && added.empty?
        change
      end

      private

      # Whether a root was set while one that it shared objects with was not asked for: it
      # may look the same, and share nothing with that any more.
      def parted?(changed)
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
        whole(table.to_hash(bytes), bytes) || Change.new(bytes)
      end

      # One write for all of them: a fault leaves all or nothing.
      def patched(patches, old, size)
        return if patches.empty? && size == @index.bytesize

        base, fresh = patches.first || [@index.bytesize, ""]
        finish = patches.size > 1 ? patches.last.then { |offset, bytes| offset + bytes.bytesize } : base + fresh.bytesize
        fresh = @index.slice(base, finish - base) if patches.size > 1
        old = old.byteslice(base, finish - base) if old
        Change.new(@index.code? ? @index.bytes.freeze : self, base, old&.freeze, fresh.freeze, size, @index.bytesize)
      end

      def whole(table, bytes)
        fresh = ::Marshal.dump(table)
        Change.of_all(bytes.freeze, fresh) unless fresh == bytes
      end
    end
  end
end

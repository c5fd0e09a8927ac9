# frozen_string_literal: true

require_relative "entry_record"

module Frugal
  module Native
    module Pure
      # The content of an entry's file: the pure twin of ext/frugal/core/entry/entry_read.c.
      class EntryImage
        ROOM = 16_385
        private_constant :ROOM

        # @return [Struct, nil] the newest valid record
        attr_reader :record

        # @return [Symbol, nil] why there is no record
        attr_reader :problem

        # @return [String] the bytes of the last read
        attr_reader :content

        # @return [File::Stat, nil]
        attr_reader :stat

        # @param file [File]
        # @param klass [Class] of the record
        def initialize(file, digest, klass)
          @file = file
          @digest = digest
          @klass = klass
        end

        # Reads the whole file. While it is being written, reads again, until the record is settled or the bytes stay
        # the same.
        #
        # @param examines [Boolean] whether to call stat first, even if one read suffices
        # @return [self]
        def read(largest, reads, examines:)
          last = nil
          reads.times do
            read_once(largest, examines)
            return self if reads == 1 || settled? || @content == last

            last = @content
          end
          @record = nil
          @problem = :changing
          self
        end

        # Reads a file again, under the lock. `size` is the number of bytes of the last read.
        #
        # @return [Boolean] false if one read does not suffice
        def reread(size)
          room = size < ROOM ? ROOM : size + 1
          @content = part(0, room)
          return false unless @content.bytesize.between?(EntryRecord::HEAD, room - 1)
          return false unless @content.getbyte(EntryRecord::HEAD - 1).zero?

          find
          !@record.nil?
        end

        private

        def read_once(largest, examines)
          @content = "".b
          @record = nil
          if examines
            @stat = @file.stat
            @problem = state(largest)
            return if @problem
          end
          @content = part(0, ROOM)
          read_rest(largest, examines) if @content.bytesize == ROOM
          find
        rescue Errno::EBADF # under JRuby, if another thread closes the file meanwhile
          raise IOError, "closed stream"
        end

        # Reads the rest, except of a file that is larger than `largest`.
        def read_rest(largest, examines)
          @stat = @file.stat unless examines
          @content << part(ROOM, @stat.size - ROOM) if @stat.size.between?(ROOM + 1, largest)
        end

        def part(offset, length)
          @file.pread(length, offset)
        rescue EOFError
          "".b
        end

        # @return [Symbol, nil] nil if the file must be read
        def state(largest)
          return :unlinked if @stat.nlink.zero?
          return :special unless @stat.file?
          return :empty if @stat.size.zero?

          :huge if @stat.size > largest
        end

        def find
          @problem = if @content.empty? then :empty
                     elsif !EntryRecord.of?(@content, @digest) then :foreign
                     end
          return if @problem

          @record = EntryRecord.decode(@content, @klass)
          @problem = :damaged unless @record
        end

        def settled? = @record ? @record.settled : @problem != :damaged && @problem != :foreign
      end
    end
  end
end

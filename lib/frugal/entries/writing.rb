# frozen_string_literal: true

require_relative "format"

module Frugal
  class Entries
    # The part of {Handle} that writes a record, under the lock: into a slot of its file, or into a new file.
    module Writing
      private

      def write_slot(record)
        head = @file.head
        @file.write(Format::IN_USE, Format::FLAG_AT) if Format.retired?(head) # by a process that was killed
        @file.write(Format.encode(head, record), Format.offset(head, record.slot))
      end

      # Writes the first record. A failure removes the file.
      def write_first(record)
        write_new(@file, record)
      rescue SystemCallError
        @entries.unlink(@digest)
        raise
      end

      def write_new(file, record)
        record.slot = 0
        head = Format.head(@digest, record.bytes.bytesize)
        file.write(Format.encode_file(head, record), 0)
      end

      # The new file is complete and has this handle's locks before it gets the entry's name.
      def replace(record)
        Thread.handle_interrupt(Object => :never) do
          @entries.with_new_file(@digest) do |file, rename|
            write_new(file, record)
            file.try_turn if @has_turn
            file.try_lock
            retire if self.record
            rename.call
            @file.close
            @file = file
          end
        end
      end

      # On a full copy-on-write file system the mark fails; then the file is deleted without it.
      def mark_as_deleted
        retire
      rescue SystemCallError
        nil
      end

      def retire = @file.write(Format::RETIRED, Format::FLAG_AT)
    end
  end
end

# frozen_string_literal: true

module Frugal
  module Native
    module Pure
      # The pure twin of core/store/store_write.c: overwrites a part of an open file in place. The
      # bytes after the old end of the file are written first: a full disk is detected there, and a reader
      # of the old content does not read them. If a write fails, the old bytes are restored.
      class StoreOverwrite
        def initialize(io, base, old, fresh, size)
          @io = io
          @base = base
          @fresh = fresh
          @size = size
          @old = old || read(base, [size - base, fresh.bytesize].min)
        end

        def call(final_size)
          grown = [@base + @fresh.bytesize - @size, 0].max
          head = @fresh.bytesize - grown
          put(@fresh.byteslice(head, grown), @size) if grown.positive?
          put(@fresh.byteslice(0, head), @base)
          @io.truncate(final_size) if final_size < @size + grown
        rescue SystemCallError
          restore
          raise
        end

        private

        def read(base, length)
          @io.seek(base)
          @io.read(length)
        end

        def put(bytes, at)
          @io.seek(at)
          @io.write(bytes)
        end

        def restore
          put(@old, @base)
          @io.truncate(@size)
        rescue SystemCallError
          nil
        end
      end
    end
  end
end

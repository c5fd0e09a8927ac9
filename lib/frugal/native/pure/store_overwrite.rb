# frozen_string_literal: true

module Frugal
  module Native
    module Pure
      # The twin of core/store_write.c: a part of an open file, replaced in place. The
      # tail first, behind what a reader of the old content looks at; a full disk is
      # noticed there. Where writing fails, the old bytes are put back.
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
          put_back
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

        def put_back
          put(@old, @base)
          @io.truncate(@size)
        rescue SystemCallError
          nil
        end
      end
    end
  end
end

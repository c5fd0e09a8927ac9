# frozen_string_literal: true

module Frugal
  module Native
    module Pure
      # The pure twin of the C class of this name: a file that was opened beneath a directory.
      class BeneathFile
        # The folder where Linux shows the path of a descriptor; nil on other systems, and under JRuby, whose `fileno`
        # is not the number of the descriptor.
        DESCRIPTORS = begin
          own_path = File.open(__FILE__) { |file| File.readlink("/proc/self/fd/#{file.fileno}") }
          "/proc/self/fd" if own_path == File.realpath(__FILE__)
        rescue SystemCallError
          nil
        end

        attr_reader :path, :size, :mtime

        def initialize(file, path)
          @file = file
          @path = path
          stat = file.stat
          @size = stat.size
          @mtime = stat.mtime
        end

        def fileno = @file.fileno

        def same_size? = @file.stat.size == @size

        def read(offset, length)
          bytes = String.new(capacity: length, encoding: Encoding::BINARY)
          bytes << @file.pread(length - bytes.bytesize, offset + bytes.bytesize) while bytes.bytesize < length
          bytes
        rescue EOFError
          bytes
        end

        def close = @file.close
      end
    end
  end
end

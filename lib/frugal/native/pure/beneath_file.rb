# frozen_string_literal: true

module Frugal
  module Native
    module Pure
      # The C engine's class of this name: a file that was opened beneath a directory.
      class BeneathFile
        # Where a descriptor tells its path, if its number is the system's: JRuby has some of its own.
        DESCRIPTORS = begin
          "/proc/self/fd" if File.open(__FILE__) { |file| File.readlink("/proc/self/fd/#{file.fileno}") } == File.realpath(__FILE__)
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

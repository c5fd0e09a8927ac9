# frozen_string_literal: true

module Frugal
  module Native
    module Pure
      # The C engine's class of this name: a file that was opened beneath a directory.
      class BeneathFile
        # Where a descriptor tells its path. JRuby's numbers are its own.
        DESCRIPTORS = ("/proc/self/fd" if RUBY_ENGINE != "jruby" && File.directory?("/proc/self/fd"))

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

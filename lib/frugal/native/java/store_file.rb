# frozen_string_literal: true

module Frugal
  module Native
    module Java
      # The twin of C's StoreFile: the pure one, on a descriptor of libc's. A file that JRuby has opened
      # ({#adopt}, or a path that is not in the file system) stays an IO.
      #
      # *Cost*: as in C. A wait for the lock can be interrupted: it tries again after 0.05 to 10 ms.
      class StoreFile < Pure::StoreFile
        def open(path, follow, writable)
          file = OpenFile.open(path, follow, writable)
          return super if file == false
          return if file.nil?
          return false unless file.stat.file?

          keep(file, writable)
          true
        rescue Errno::EMFILE, Errno::ENFILE
          Pure::StorePool.close_oldest ? retry : raise
        rescue Errno::ENXIO
          false # a socket, or a device without a driver
        ensure
          file.close if file && !@io.equal?(file)
        end

        # One pread(2); none for an empty file.
        def read(path)
          return super unless @io.is_a?(OpenFile)

          @io.seek(0)
          bytes = @io.read(@identity.size).freeze
          @valid = true
          bytes
        end

        private

        def stat(path, follow)
          identity = Identity.at(path, follow)
          identity == false ? converted(super) : identity
        end

        def identity_of(io) = io.is_a?(OpenFile) ? io.stat : converted(super)

        def converted(identity) = identity && Identity.new(*identity)
      end
    end
  end
end

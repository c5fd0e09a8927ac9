# frozen_string_literal: true

module Frugal
  module Native
    module Pure
      # The methods of {Frugal::Probe}. Ruby cannot distinguish a miss from a fault without an
      # exception, so a miss costs one rescued exception. Calling `File.exist?` first would
      # avoid the exception, but would hide a fault.
      module Probe
        def mtime(path)
          File.mtime(Probe.path(path))
        rescue Errno::ENOENT, Errno::ENOTDIR
          nil
        end

        def mtimes(paths) = Probe.batch(paths) { |path| mtime(path) }

        def size(path)
          File.size(Probe.path(path))
        rescue Errno::ENOENT, Errno::ENOTDIR
          nil
        end

        def stat(path)
          File.stat(path)
        rescue Errno::ENOENT, Errno::ENOTDIR
          nil
        end

        def stats(paths) = Probe.batch(paths) { |path| stat(path) }

        def exist?(path) = File.exist?(Probe.path(path))

        def type(path)
          File.ftype(path)
        rescue Errno::ENOENT, Errno::ENOTDIR
          nil
        end

        def readlink(path)
          File.readlink(path)
        rescue Errno::ENOENT, Errno::ENOTDIR
          nil
        end

        def entries(path)
          Dir.entries(path)
        rescue Errno::ENOENT, Errno::ENOTDIR
          nil
        end

        def children(path)
          Dir.children(path)
        rescue Errno::ENOENT, Errno::ENOTDIR
          nil
        end

        def read(path)
          File.read(path)
        rescue Errno::ENOENT, Errno::ENOTDIR
          nil
        rescue Errno::EINTR # a signal trap ran while `open` waited for the other end of a fifo
          retry
        end

        # File.mtime, size and exist? also accept an IO and use its descriptor, but a probe
        # accepts paths only. File.path converts a path, and raises, as Ruby's methods do.
        def self.path(path) = File.path(path)

        # Converts all paths before the first system call. `concat` converts an Array, and
        # raises, as Ruby's methods do. The `while` loop is for JRuby, which can interrupt a
        # thread in the loop, but not in `map`.
        def self.batch(paths)
          paths = [].concat(paths).map { |path| path(path) }
          answers = []
          answers << yield(paths[answers.size]) while answers.size < paths.size
          answers
        end
      end
    end
  end
end

# frozen_string_literal: true

module Frugal
  module Native
    module Pure
      # {Frugal::Probe}'s methods. What cannot be done without C is to tell a miss
      # from a fault without an exception, so a miss costs one, rescued here.
      # Asking +File.exist?+ first would save it, and lose the fault.
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
        rescue Errno::EINTR # a trap ran while open waited for a fifo's other end
          retry
        end

        # File.mtime, size and exist? also take an IO and ask its descriptor. A
        # probe asks by path; File.path converts, and complains, as core does.
        def self.path(path) = File.path(path)

        # All are converted before the first is asked for. +concat+ converts, and
        # complains, as core does where an Array is due. JRuby lets a thread be
        # interrupted where a loop goes round, but not in +map+.
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

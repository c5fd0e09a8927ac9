# frozen_string_literal: true

require_relative "pure/names"

module Frugal
  module Native
    # The twin of {C} in plain Ruby: the same answers and the same faults.
    #
    #   Frugal::Native::Pure.mtime("Rakefile")  # => a Time, or nil for a miss
    #
    # What it cannot do without C is tell a miss from a fault without an
    # exception, so a miss costs one, rescued here; {Probe} documents the rest.
    # Asking +File.exist?+ first would save it, and lose the fault.
    module Pure
      NAME = :pure

      autoload :IgnoreRules, "#{__dir__}/pure/ignore_rules"
      autoload :MarshalIndex, "#{__dir__}/pure/marshal_index"
      autoload :RakePlan, "#{__dir__}/pure/rake_plan"
      autoload :RakeWalk, "#{__dir__}/pure/rake_walk"
      autoload :StoreFile, "#{__dir__}/pure/store_file"
      autoload :Tree, "#{__dir__}/pure/tree"
      autoload :TreeSnapshot, "#{__dir__}/pure/tree_snapshot"

      extend Names

      class << self
        def mtime(path)
          File.mtime(path(path))
        rescue Errno::ENOENT, Errno::ENOTDIR
          nil
        end

        def mtimes(paths) = batch(paths) { |path| mtime(path) }

        def size(path)
          File.size(path(path))
        rescue Errno::ENOENT, Errno::ENOTDIR
          nil
        end

        def stat(path)
          File.stat(path)
        rescue Errno::ENOENT, Errno::ENOTDIR
          nil
        end

        def stats(paths) = batch(paths) { |path| stat(path) }

        def exist?(path) = File.exist?(path(path))

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

        private

        # File.mtime, size and exist? also take an IO and ask its descriptor. A
        # probe asks by path; File.path converts, and complains, as core does.
        def path(path) = File.path(path)

        # All are converted before the first is asked for. +concat+ converts, and
        # complains, as core does where an Array is due. JRuby lets a thread be
        # interrupted where a loop goes round, but not in +map+.
        def batch(paths)
          paths = [].concat(paths).map { |path| path(path) }
          answers = []
          answers << yield(paths[answers.size]) while answers.size < paths.size
          answers
        end
      end
    end
  end
end

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

      autoload :RakePlan, "#{__dir__}/pure/rake_plan"
      autoload :RakeWalk, "#{__dir__}/pure/rake_walk"

      extend Names

      class << self
        def mtime(path)
          File.mtime(path(path))
        rescue Errno::ENOENT, Errno::ENOTDIR
          nil
        end

        # +concat+ converts, and complains, as core does where an Array is due.
        def mtimes(paths)
          [].concat(paths).map { |path| path(path) }.map { |path| mtime(path) }
        end

        def type(path)
          File.ftype(path)
        rescue Errno::ENOENT, Errno::ENOTDIR
          nil
        end

        def entries(path)
          Dir.entries(path)
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

        # File.mtime also takes an IO and asks its descriptor. A probe asks by
        # path; File.path converts, and complains, as core does.
        def path(path) = File.path(path)
      end
    end
  end
end

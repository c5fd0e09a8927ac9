# frozen_string_literal: true

require_relative "../../lib/frugal"

module Frugal
  module ProbesBench
    # Three ways to ask for what may not be there. Each method asks about all of
    # the paths and answers how many were there, so that a wrong idiom shows. The
    # loops are written out: a call in between would be measured too.

    # Ask, and rescue: one system call fewer, and an exception for each miss.
    module ExceptionIdiom
      LABEL = "exception"

      class << self
        def entries(paths)
          paths.count do |path|
            Dir.entries(path)
          rescue Errno::ENOENT
            nil
          end
        end

        def read(paths)
          paths.count do |path|
            File.read(path)
          rescue Errno::ENOENT
            nil
          end
        end

        def mtime(paths)
          paths.count do |path|
            File.mtime(path)
          rescue Errno::ENOENT
            nil
          end
        end
      end
    end

    # Test, then ask, and still rescue: it may vanish in between.
    module StatIdiom
      LABEL = "stat first"

      class << self
        def entries(paths)
          paths.count do |path|
            Dir.entries(path) if File.directory?(path)
          rescue Errno::ENOENT
            nil
          end
        end

        def read(paths)
          paths.count do |path|
            File.read(path) if File.exist?(path)
          rescue Errno::ENOENT
            nil
          end
        end

        def mtime(paths)
          paths.count do |path|
            File.mtime(path) if File.exist?(path)
          rescue Errno::ENOENT
            nil
          end
        end
      end
    end

    # One question, an answer or nil.
    module ProbeIdiom
      LABEL = "probe"

      class << self
        def entries(paths) = paths.count { |path| Frugal.entries(path) }

        def read(paths) = paths.count { |path| Frugal.read(path) }

        def mtime(paths) = paths.count { |path| Frugal.mtime(path) }
      end
    end

    IDIOMS = [ExceptionIdiom, StatIdiom, ProbeIdiom].freeze
    QUESTIONS = { entries: "the names in a directory", read: "a whole file", mtime: "the time of a file" }.freeze
    PRESENCE = %i[present missing].freeze
  end
end

# frozen_string_literal: true

require_relative "../../lib/frugal"

module Frugal
  module ProbesBench
    # Three ways to ask for something that may be missing. Each method asks for all paths
    # and returns how many exist, so that a wrong idiom is detected. The loops are not
    # shared, because a call between the loop and the question would be measured, too.

    # Asks and rescues: one system call less, and an exception for each miss.
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

    # Tests, then asks, and still rescues, because the file may be removed in between.
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

    # Asks once and gets an answer or nil.
    module ProbeIdiom
      LABEL = "probe"

      class << self
        def entries(paths) = paths.count { |path| Frugal.entries(path) }

        def read(paths) = paths.count { |path| Frugal.read(path) }

        def mtime(paths) = paths.count { |path| Frugal.mtime(path) }
      end
    end

    IDIOMS = [ExceptionIdiom, StatIdiom, ProbeIdiom].freeze
    QUESTIONS = { entries: "the names in a directory", read: "the contents of a file", mtime: "the time of a file" }.freeze
    PRESENCE = %i[present missing].freeze
  end
end

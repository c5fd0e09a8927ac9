# frozen_string_literal: true

require_relative "file_ranges"

module Frugal
  module Native
    module Pure
      # The pure twin of the C class of this name: a file with a turn for each slot, whose content is not used. Each
      # object has the turn of one slot, or waits for it.
      class TurnFile
        include FileRanges

        FLAGS = File::RDWR | File::CREAT | File::BINARY | File::NONBLOCK | Platform::O_NOFOLLOW
        private_constant :FLAGS
        private_class_method :new

        # @return [TurnFile, nil] nil if there is no directory
        def self.open(path, slot, permissions)
          raise ArgumentError, "no such slot: #{slot}" unless (0...SLOTS).cover?(slot)

          Thread.handle_interrupt(Object => :never) { new(File.open(path, FLAGS, permissions), slot) }
        rescue Errno::ENOENT, Errno::ENOTDIR
          nil
        end

        def initialize(file, slot)
          @file = file
          @slot = slot
          @pid = Process.pid
        end

        def close
          end_turn
          Thread.handle_interrupt(Object => :never) { @file.close }
          nil
        end

        private

        attr_reader :slot
      end
    end
  end
end

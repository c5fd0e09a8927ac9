# frozen_string_literal: true

module Frugal
  module Native
    module Pure
      # The result of a stat: identifies a file, its content and its rights.
      StoreIdentity = Struct.new(:device, :inode, :size, :mtime, :ctime, :mode, :owner, :group) do
        def self.of(stat)
          times = [stat.mtime, stat.ctime].map { |time| time.to_i * 1_000_000_000 + time.nsec }
          new(stat.dev, stat.ino, stat.size, *times, stat.mode, stat.uid, stat.gid)
        end

        def same_file?(other) = !other.nil? && inode == other.inode && device == other.device

        def same_rights?(other) = mode == other.mode && owner == other.owner && group == other.group

        def same_content?(other)
          !other.nil? && same_file?(other) && size == other.size && mtime == other.mtime && ctime == other.ctime
        end
      end
    end
  end
end

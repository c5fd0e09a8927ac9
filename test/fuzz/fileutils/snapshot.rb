# frozen_string_literal: true

require "zlib"

module FileutilsFuzz
  # All that is in a folder: types, modes, times, contents, links, owners.
  class Snapshot
    def self.of(folder) = new.of(folder)

    def initialize
      @inodes = {}
    end

    # @return [Array] in the order of the names; inodes by their first appearance
    def of(folder)
      back = Dir.pwd
      Dir.chdir(folder)
      level("")
    ensure
      Dir.chdir(back)
    end

    private

    def level(prefix)
      Dir.children(".").sort.flat_map do |name|
        stat = File.lstat(name)
        here = [prefix + name, stat.ftype, stat.mode.to_s(8), stat.uid, time(stat), inode(stat), content(stat, name)]
        stat.directory? ? [here, *inside(name, "#{prefix}#{name}/")] : [here]
      end
    end

    # By chdir, as a path may be too long.
    def inside(name, prefix)
      Dir.chdir(name)
      level(prefix)
    ensure
      Dir.chdir("..")
    end

    # What was made or changed just now has no time that could be compared.
    def time(stat) = stat.mtime.year < 2020 ? stat.mtime.to_r : :now

    def inode(stat)
      return stat.nlink if stat.directory? || stat.nlink == 1

      @inodes[stat.ino] ||= @inodes.size + 1000
    end

    def content(stat, name)
      if stat.symlink? then File.readlink(name)
      elsif stat.file? then [stat.size, Zlib.crc32(File.binread(name))]
      end
    end
  end
end

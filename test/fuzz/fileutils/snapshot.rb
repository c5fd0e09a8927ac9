# frozen_string_literal: true

require "zlib"

module FileutilsFuzz
  # All entries of a folder with their types, modes, owners, times, links and contents.
  class Snapshot
    def self.of(folder) = new.of(folder)

    def initialize
      @inodes = {}
    end

    # @return [Array] entries in the order of their names; inodes numbered in the order of their first entry
    def of(folder)
      back = Dir.pwd
      Dir.chdir(folder)
      level("")
    rescue SystemStackError # a copy into itself
      ["too deep"]
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

    # Uses chdir, since a path may be too long.
    def inside(name, prefix)
      make_readable(name)
      Dir.chdir(name)
      level(prefix)
    ensure
      Dir.chdir("..")
    end

    # The time of an entry that was just made or changed cannot be compared.
    def time(stat) = stat.mtime.year < 2020 ? stat.mtime.to_r : :now

    def inode(stat)
      return stat.nlink if stat.directory? || stat.nlink == 1

      @inodes[stat.ino] ||= @inodes.size + 1000
    end

    def content(stat, name)
      if stat.symlink? then File.readlink(name)
      elsif stat.file?
        make_readable(name)
        [stat.size, Zlib.crc32(File.binread(name))]
      end
    end

    # The mode is already in the snapshot, and the tree is removed next.
    def make_readable(name)
      File.chmod(0o700, name) unless Process.uid.zero?
    end
  end
end

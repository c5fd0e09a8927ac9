# frozen_string_literal: true

module Safety
  # The content of a folder after a crash: names of inodes, and the bytes of each inode.
  # Operations change it; +write_to+ creates it on the real disk.
  class Disk
    Link = Struct.new(:target)

    # A part of a write within one page; +last+ marks the last part of its system call.
    Write = Struct.new(:inode, :offset, :bytes, :last) do
      def apply(disk)
        content = disk.contents(inode)
        content << ("\0" * (offset - content.bytesize)) if content.bytesize < offset
        content[offset, bytes.bytesize] = bytes
      end

      def data? = true
      def to_s = "write #{bytes.bytesize} at #{offset} to #{inode}"
    end

    # ftruncate and O_TRUNC; also fallocate, which only +grows+ the file.
    Resize = Struct.new(:inode, :size, :grows) do
      def apply(disk)
        content = disk.contents(inode)
        missing = size - content.bytesize
        if missing.positive? then content << ("\0" * missing)
        elsif !grows then content.slice!(size..)
        end
      end

      def data? = true
      def to_s = "#{grows ? "allocate" : "truncate"} #{inode} to #{size}"
    end

    # Gives an inode a name: create, link, symlink.
    Enter = Struct.new(:path, :inode, :link) do
      def apply(disk)
        disk.names[path] = inode
        disk.inodes[inode] ||= link || "".b
      end

      def data? = false
      def folders = [File.dirname(path)]
      def to_s = "enter #{path}"
    end

    Remove = Struct.new(:path) do
      def apply(disk) = disk.names.delete(path)
      def data? = false
      def folders = [File.dirname(path)]
      def to_s = "remove #{path}"
    end

    Rename = Struct.new(:from, :to, :inode) do
      def apply(disk)
        disk.names.delete(from)
        disk.names[to] = inode
        disk.inodes[inode] ||= "".b # perhaps none of its bytes reached the disk
      end

      def data? = false
      def folders = [File.dirname(from), File.dirname(to)].uniq
      def to_s = "rename #{from} to #{to}"
    end

    # @return [Disk] the current content of the folder
    def self.read(folder)
      new.tap do |disk|
        Dir.glob("**/*", File::FNM_DOTMATCH, base: folder).sort.each { |path| disk.take(folder, path) }
      end
    end

    attr_reader :names, :inodes, :folders

    def initialize
      @names = {}
      @inodes = {}
      @folders = []
      @borrowed = {}
    end

    def initialize_copy(other)
      super
      @names = other.names.dup
      @inodes = other.inodes.dup
      @borrowed = @inodes.transform_values { true }
    end

    # The bytes of an inode, to be modified: copied first if they are shared with another disk.
    def contents(inode)
      @inodes[inode] ||= "".b
      @inodes[inode] = @inodes[inode].dup if @borrowed.delete(inode)
      @inodes[inode]
    end

    def take(folder, path)
      full = File.join(folder, path)
      stat = File.lstat(full)
      return (@folders << path unless path == "." || path.end_with?("/.")) if stat.directory?

      @names[path] = path
      @inodes[path] = stat.symlink? ? Link.new(File.readlink(full)) : File.binread(full)
    end

    # Two disks with one image cannot be told apart by a program that opens them.
    def image
      @names.sort.map do |path, inode|
        [path, @inodes[inode].hash, @inodes[inode].is_a?(Link) || @inodes[inode].bytesize]
      end
    end

    def write_to(folder)
      Dir.mkdir(folder)
      @folders.each { |path| Dir.mkdir(File.join(folder, path)) }
      written = {}
      @names.each do |path, inode|
        full = File.join(folder, path)
        bytes = @inodes.fetch(inode)
        if bytes.is_a?(Link) then File.symlink(bytes.target, full)
        elsif written[inode] then File.link(written[inode], full)
        else
          File.binwrite(full, bytes)
          written[inode] = full
        end
      end
    end
  end
end

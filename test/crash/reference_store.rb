# frozen_string_literal: true

module Safety
  # What a test of safety must be able to pass, and to fail: a store that locks
  # a file beside its own, writes a copy, syncs it, renames it and syncs the
  # folder. Slow, and right; each of the flags makes it wrong in one point.
  class ReferenceStore
    def initialize(path, careless: [])
      @path = path
      @careless = careless
    end

    def transaction(read_only = false)
      File.open("#{@path}.lock", File::RDWR | File::CREAT) do |lock|
        lock.flock(File::LOCK_EX)
        @table = kept || load
        result = yield(self)
        save unless read_only
        result
      end
    end

    def [](root) = @table[root]
    def delete(root) = @table.delete(root)
    def roots = @table.keys

    def []=(root, value)
      @table[root] = value
    end

    private

    # Wrong: a file may change and keep its size.
    def kept = @careless.include?("sizeonly") && @bytes && File.size?(@path) == @bytes.bytesize ? Marshal.load(@bytes) : nil

    def load
      Marshal.load(@bytes = File.binread(@path))
    rescue Errno::ENOENT
      {}
    end

    def save
      copy = "#{File.realpath(File.dirname(@path))}/copy"
      File.open(copy, "wb") do |file|
        file.write(Marshal.dump(@table))
        file.fsync unless @careless.include?("nofilesync")
      end
      File.rename(copy, @path)
      File.open(File.dirname(@path), &:fsync) unless @careless.include?("nofoldersync")
    rescue SystemCallError
      File.unlink(copy) if File.exist?(copy)
      raise
    end
  end
end

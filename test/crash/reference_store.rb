# frozen_string_literal: true

module Safety
  # A store that the safety tests must accept, and whose mutants they must reject. It locks a
  # file beside its own, writes a copy, syncs it, renames it and syncs the folder: slow, but
  # correct. Each mutation makes it wrong in one point.
  class ReferenceStore
    def initialize(path, mutations: [])
      @path = path
      @mutations = mutations
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

    # The mutation +sizeonly+ is wrong because a file may change and keep its size.
    def kept
      return unless @mutations.include?("sizeonly") && @bytes && File.size?(@path) == @bytes.bytesize

      Marshal.load(@bytes)
    end

    def load
      Marshal.load(@bytes = File.binread(@path))
    rescue Errno::ENOENT
      {}
    end

    def save
      copy = "#{File.realpath(File.dirname(@path))}/copy"
      File.open(copy, "wb") do |file|
        file.write(Marshal.dump(@table))
        file.fsync unless @mutations.include?("nofilesync")
      end
      File.rename(copy, @path)
      File.open(File.dirname(@path), &:fsync) unless @mutations.include?("nofoldersync")
    rescue SystemCallError
      File.unlink(copy) if File.exist?(copy)
      raise
    end
  end
end

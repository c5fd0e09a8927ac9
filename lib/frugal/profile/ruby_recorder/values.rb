# frozen_string_literal: true

# Converts arguments and results of methods to the values of events.
module Values
  FILE = File
  DIRECTORY = Dir
  MASK = (1 << 62) - 1
  DESCRIPTORS = 1 << 30 # larger than any descriptor of a process
  MISSING = Errno::ENOENT::Errno
  DENIED = Errno::EACCES::Errno
  private_constant :FILE, :DIRECTORY, :MASK, :DESCRIPTORS

  class << self
    # @return [Integer] a descriptor for the events of a method that opens and closes a file itself
    def descriptor = DESCRIPTORS + (@descriptors = (@descriptors.to_i + 1) & 0xffff)

    # @param name [Object] a path as Ruby's methods take it
    # @return [String] absolute, in binary
    def absolute(name)
      path = (String === name ? name : FILE.path(name)).b
      return path if path.start_with?("/")

      directory = DIRECTORY.pwd.b
      path.empty? ? directory : "#{directory}/#{path}"
    end

    # @param value [Object]
    # @return [Integer] equal for equal values, in this process and its forks; never 0
    def digest(value) = (value.hash & MASK) | 1

    # @param bytes [String]
    # @return [Integer]
    def content(bytes) = digest(bytes.b)

    # @param stat [File::Stat]
    # @return [Hash] `result` and `bytes` of an event
    def facts(stat)
      { result: digest([stat.ftype, stat.size, stat.ino, stat.mtime, stat.ctime]), bytes: stat.size }
    end

    # Examines the file as it is now.
    #
    # @param path [String]
    # @param link [Boolean] whether to examine a link itself, instead of its target
    # @return [Hash] members of an event, without the unknown ones
    def look(path, link)
      return { error: MISSING } unless FILE.exist?(path) || (link && FILE.symlink?(path))

      facts(link ? FILE.lstat(path) : FILE.stat(path))
    rescue SystemCallError => e
      { error: e.errno }
    end
  end
end

# frozen_string_literal: true

# The first bytes of a log: its process, the end of its last chunk, and the number of calls, also of calls without
# details. The layout is that of ext/frugal_recorder/log.h.
class Header
  SIZE = 16_384
  # The size of the part that changes, which is written again after each block.
  CHANGING = 136 + (128 * 8)
  ARGV_SIZE = SIZE - CHANGING - 2048
  EVENT_SIZE = 64
  # The names of the calls, by their number; the first two are not calls.
  NAMES = %i[raise mark stat lstat fstat statx access eaccess open opendir readdir closedir close read pread write
             pwrite lseek copy_file_range readlink realpath mkdir mkfifo rename unlink rmdir link symlink truncate
             ftruncate chmod fchmod chown lchown fchown utime fsync fdatasync flock fork spawn exec wait].freeze
  NUMBERS = NAMES.each_with_index.to_h.freeze
  VERSION = (RUBY_ENGINE == "ruby" ? RUBY_VERSION : "#{RUBY_ENGINE} #{RUBY_ENGINE_VERSION}").freeze
  private_constant :VERSION, :ARGV_SIZE

  # @return [Array<Integer>] how often each call was made, by its number
  attr_reader :counts
  # @return [Integer] how many calls have no details
  attr_accessor :dropped

  # @param pid [Integer]
  # @param parent [Integer]
  # @param started [Integer] nanoseconds
  # @param limit [Integer] bytes
  def initialize(pid, parent, started, limit)
    @fixed = [pid, parent, started, limit]
    @dropped = 0
    @counts = Array.new(NAMES.size, 0)
    @argv = "#{[RUBY_ENGINE, $0, *ARGV].map(&:b).join("\0")}\0".byteslice(0, ARGV_SIZE)
  end

  # @param finish [Integer] the end of the last chunk
  # @return [String] the part that changes, the first bytes of the file
  def changing(finish)
    pid, parent, started, limit = @fixed
    head = ["FRUGREC1", 1, SIZE, pid, parent, started, limit, finish, @dropped, NAMES.size, EVENT_SIZE,
            @argv.bytesize, names.bytesize, VERSION].pack("a8L2L2Q<4L2L2a64")
    (head + @counts.pack("Q*")).ljust(CHANGING, "\0")
  end

  # @return [String] the whole header
  def whole(finish) = (changing(finish) + names.ljust(2048, "\0") + @argv).ljust(SIZE, "\0")

  private

  def names = NAMES.join(" ").b
end

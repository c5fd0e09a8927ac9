# frozen_string_literal: true

require_relative "disk"
require_relative "recorded_calls"
require_relative "trace_lines"

module Safety
  # What a workload did to its folder: the system calls of its trace as operations on a
  # {Disk}, with the syncs and acknowledgements between them.
  #
  # An unknown call that changes files raises an error; it is never ignored.
  class Recording
    # One of: +operation+, which may be lost in a crash; +sync+, what was made durable (an inode, a
    # folder or :all); +mark+, a message of the workload.
    Event = Struct.new(:operation, :sync, :mark, keyword_init: true)

    PIECE = 4096 # bytes: a page, the smallest unit that a disk writes
    TRACED = %w[
      open openat openat2 creat close read pread64 readv preadv lseek write pwrite64 writev pwritev pwritev2 truncate
      ftruncate fallocate rename renameat renameat2 link linkat symlink symlinkat unlink unlinkat mkdir mkdirat rmdir
      fsync fdatasync sync syncfs sendto sync_file_range copy_file_range sendfile splice dup dup2 dup3 mmap msync
      io_uring_enter ioctl
    ].freeze
    OPTIONS = ["-xx", "-s", "100000000", "-e", "trace=#{TRACED.map { |name| "?#{name}" }.join(",")}",
               "-e", "signal=none"].freeze

    # An open file: its inode, its position, and the flags O_APPEND and O_SYNC.
    Open = Struct.new(:inode, :position, :append, :synced)

    class Unknown < StandardError; end

    include RecordedCalls

    # @param before [Disk] the folder before the trace began
    def initialize(folder, before, trace)
      @folder = "#{File.realpath(folder)}/"
      @before = before
      @now = before.dup
      @open = {}
      @events = []
      @made = 0
      TraceLines.parse(trace).each { |call| record(call) unless call.failed? }
    end

    attr_reader :before, :events

    private

    def record(call)
      message = "on_#{call.name}"
      if respond_to?(message, true) then send(message, call)
      elsif call.mentions?(@folder) then raise Unknown, "the model does not know #{call.text[0, 300]}"
      end
    end

    def add(operation)
      operation.apply(@now)
      @events << Event.new(operation: operation)
    end

    # The path relative to the folder, or nil if it is outside.
    def inside(path)
      full = File.expand_path(path)
      return "." if "#{full}/" == @folder

      full = File.join(File.realpath(File.dirname(full)), File.basename(full))
      full.delete_prefix(@folder) if full.start_with?(@folder)
    rescue Errno::ENOENT
      nil
    end

    def follow(path)
      target = @now.inodes[@now.names[path]]
      return path unless target.is_a?(Disk::Link)

      follow(inside(File.expand_path(target.target, File.join(@folder, File.dirname(path)))))
    end

    def at(call)
      open = @open[call.descriptor]
      return yield(open) if open
      return unless call.descriptor_path.to_s.start_with?(@folder)

      raise Unknown, "the descriptor was opened before the trace: #{call.text[0, 200]}"
    end
  end
end

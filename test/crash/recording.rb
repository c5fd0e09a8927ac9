# frozen_string_literal: true

require_relative "disk"
require_relative "recorded_calls"
require_relative "trace_lines"

module Safety
  # What a workload did to its folder: the trace's calls as operations on a
  # {Disk}, with the syncs and what was acknowledged between them.
  #
  # A call that changes files and that this does not know is an error, never
  # passed over.
  class Recording
    # +operation+ may be lost in a crash; +sync+ is what it makes durable: an
    # inode, a folder or :all; +mark+ is what the workload said.
    Event = Struct.new(:operation, :sync, :mark, keyword_init: true)

    PIECE = 4096 # bytes: what a disk writes at once at the least, a page
    TRACED = %w[
      open openat openat2 creat close read pread64 readv preadv lseek write pwrite64 writev pwritev pwritev2 truncate ftruncate
      fallocate rename renameat renameat2 link linkat symlink symlinkat unlink unlinkat mkdir mkdirat rmdir fsync fdatasync sync
      syncfs sendto sync_file_range copy_file_range sendfile splice dup dup2 dup3 mmap msync io_uring_enter ioctl
    ].freeze
    OPTIONS = ["-xx", "-s", "100000000", "-e", "trace=#{TRACED.map { |name| "?#{name}" }.join(",")}", "-e", "signal=none"].freeze

    # An open file: of which inode, where it stands, how it was opened.
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

    # A path as the model names it, or nil outside the folder.
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
      target.is_a?(Disk::Link) ? follow(inside(File.expand_path(target.target, File.join(@folder, File.dirname(path))))) : path
    end

    def at(call)
      open = @open[call.descriptor]
      return yield(open) if open
      raise Unknown, "a descriptor from before: #{call.text[0, 200]}" if call.descriptor_path.to_s.start_with?(@folder)
    end
  end
end

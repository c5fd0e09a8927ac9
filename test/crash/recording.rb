# frozen_string_literal: true

require_relative "disk"
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

    Open = Struct.new(:inode, :position, :append, :synced)

    class Unknown < StandardError; end

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

    def on_openat(call)
      path = inside(call.strings.first) or return
      flags = call.text[/, (O_[A-Z_|]+)/, 1]
      path = follow(path) unless flags.include?("O_NOFOLLOW")
      return @open[call.result] = Open.new(path, 0) if path == "." || @now.folders.include?(path)
      raise Unknown, call.text if flags.include?("O_TMPFILE")

      add(Disk::Enter.new(path, "#{path}##{@made += 1}")) unless @now.names[path]
      inode = @now.names[path]
      add(Disk::Resize.new(inode, 0)) if flags.include?("O_TRUNC") && !@now.inodes[inode].empty?
      @open[call.result] = Open.new(inode, 0, flags.include?("O_APPEND"), flags.match?(/O_D?SYNC/))
    end

    def on_close(call) = @open.delete(call.descriptor)
    def on_lseek(call) = at(call) { |open| open.position = call.result }
    def on_read(call) = at(call) { |open| open.position += call.result }
    alias on_readv on_read
    def on_pread64(_call) = nil
    alias on_preadv on_pread64
    def on_mkdir(call) = inside(call.strings.first) && raise(Unknown, call.text)

    # Of a mapping only what is written through it matters.
    def on_mmap(call) = call.text.match?(/PROT_WRITE.*MAP_SHARED/) && call.mentions?(@folder) && raise(Unknown, call.text)

    def on_ioctl(call) = call.text.match?(/FICLONE|FS_IOC_SET/) && call.mentions?(@folder) && raise(Unknown, call.text)

    def on_sendto(call) = @events << Event.new(mark: call.strings.first.chomp)

    def on_write(call)
      at(call) do |open|
        open.position = @now.inodes[open.inode].bytesize if open.append
        write(call, open, open.position)
        open.position += call.result
      end
    end
    alias on_writev on_write

    def on_pwrite64(call) = at(call) { |open| write(call, open, call.numbers.last) }
    alias on_pwritev on_pwrite64

    def write(call, open, offset)
      bytes = call.strings.join.byteslice(0, call.result)
      pieces(bytes, offset).each { |at, piece, last| add(Disk::Write.new(open.inode, at, piece, last)) }
      @events << Event.new(sync: open.inode) if open.synced
    end

    # At the boundaries of the file's pages.
    def pieces(bytes, offset)
      taken = 0
      pieces = []
      while taken < bytes.bytesize
        size = [PIECE - ((offset + taken) % PIECE), bytes.bytesize - taken].min
        pieces << [offset + taken, bytes.byteslice(taken, size), taken + size == bytes.bytesize]
        taken += size
      end
      pieces
    end

    def on_ftruncate(call) = at(call) { |open| add(Disk::Resize.new(open.inode, call.numbers.last)) }

    def on_fallocate(call)
      at(call) do |open|
        mode = call.text[/>, ([^,]+),/, 1]
        raise Unknown, call.text unless ["0", "FALLOC_FL_KEEP_SIZE"].include?(mode)

        add(Disk::Resize.new(open.inode, call.numbers.last(2).sum, true)) if mode == "0"
      end
    end

    def on_rename(call)
      from, to = call.strings.first(2).map { |path| inside(path) }
      return unless from || to
      raise Unknown, call.text unless from && to

      add(Disk::Rename.new(from, to, @now.names.fetch(from)))
    end
    alias on_renameat on_rename
    alias on_renameat2 on_rename

    def on_unlink(call) = inside(call.strings.first)&.then { |path| add(Disk::Remove.new(path)) }
    alias on_unlinkat on_unlink

    def on_link(call)
      from, to = call.strings.first(2).map { |path| inside(path) }
      add(Disk::Enter.new(to, @now.names.fetch(follow(from)))) if from && to
    end
    alias on_linkat on_link

    def on_fsync(call) = at(call) { |open| @events << Event.new(sync: open.inode) }
    alias on_fdatasync on_fsync
    def on_sync(_call) = @events << Event.new(sync: :all)
    alias on_syncfs on_sync
    def on_sync_file_range(_call) = nil # promises nothing after a power cut

    def at(call)
      open = @open[call.descriptor]
      return yield(open) if open
      raise Unknown, "a descriptor from before: #{call.text[0, 200]}" if call.descriptor_path.to_s.start_with?(@folder)
    end
  end
end

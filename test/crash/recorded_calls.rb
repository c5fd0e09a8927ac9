# frozen_string_literal: true

require_relative "disk"

module Safety
  # Translates system calls for {Recording}: one method for each call, which adds operations,
  # syncs and marks.
  module RecordedCalls
    private

    def on_openat(call)
      path = inside(call.strings.first) or return
      flags = call.text[/, (O_[A-Z_|]+)/, 1]
      path = follow(path) unless flags.include?("O_NOFOLLOW")
      return @open[call.result] = Recording::Open.new(path, 0) if path == "." || @now.folders.include?(path)
      raise Recording::Unknown, call.text if flags.include?("O_TMPFILE")

      add(Disk::Enter.new(path, "#{path}##{@made += 1}")) unless @now.names[path]
      inode = @now.names[path]
      add(Disk::Resize.new(inode, 0)) if flags.include?("O_TRUNC") && !@now.inodes[inode].empty?
      @open[call.result] = Recording::Open.new(inode, 0, flags.include?("O_APPEND"), flags.match?(/O_D?SYNC/))
    end

    def on_close(call) = @open.delete(call.descriptor)
    def on_lseek(call) = at(call) { |open| open.position = call.result }
    def on_read(call) = at(call) { |open| open.position += call.result }
    alias on_readv on_read
    def on_pread64(_call) = nil
    alias on_preadv on_pread64
    def on_mkdir(call) = inside(call.strings.first) && raise(Recording::Unknown, call.text)

    # Only shared writable mappings change a file. SQLite's index of its log (-shm) may be
    # mapped, because it is created again after a crash.
    def on_mmap(call)
      return unless call.text.match?(/PROT_WRITE.*MAP_SHARED/) && call.mentions?(@folder)

      raise Recording::Unknown, call.text unless call.text.include?("\\x2d\\x73\\x68\\x6d>") # -shm
    end

    def on_ioctl(call)
      raise Recording::Unknown, call.text if call.text.match?(/FICLONE|FS_IOC_SET/) && call.mentions?(@folder)
    end

    def on_sendto(call) = @events << Recording::Event.new(mark: call.strings.first.chomp)

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
      @events << Recording::Event.new(sync: open.inode) if open.synced
    end

    # Splits a write at the page boundaries of the file.
    def pieces(bytes, offset)
      taken = 0
      pieces = []
      while taken < bytes.bytesize
        size = [Recording::PIECE - ((offset + taken) % Recording::PIECE), bytes.bytesize - taken].min
        pieces << [offset + taken, bytes.byteslice(taken, size), taken + size == bytes.bytesize]
        taken += size
      end
      pieces
    end

    def on_ftruncate(call) = at(call) { |open| add(Disk::Resize.new(open.inode, call.numbers.last)) }

    def on_fallocate(call)
      at(call) do |open|
        mode = call.text[/>, ([^,]+),/, 1]
        raise Recording::Unknown, call.text unless ["0", "FALLOC_FL_KEEP_SIZE"].include?(mode)

        add(Disk::Resize.new(open.inode, call.numbers.last(2).sum, true)) if mode == "0"
      end
    end

    def on_rename(call)
      from, to = call.strings.first(2).map { |path| inside(path) }
      return unless from || to
      raise Recording::Unknown, call.text unless from && to

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

    def on_fsync(call) = at(call) { |open| @events << Recording::Event.new(sync: open.inode) }
    alias on_fdatasync on_fsync
    def on_sync(_call) = @events << Recording::Event.new(sync: :all)
    alias on_syncfs on_sync
    def on_sync_file_range(_call) = nil # guarantees nothing after a power cut
  end
end

# frozen_string_literal: true

module Frugal
  module Bench
    # The system calls on files of a process under strace, between marks. The process
    # makes a mark by looking for a file that does not exist:
    #
    #   File.exist?(MarkedTrace.mark("changed"))
    #   100.times { … }
    #   File.exist?(MarkedTrace.mark(MarkedTrace::END_MARK))
    #
    # When the process has ended, its parent reads the log:
    #
    #   trace = MarkedTrace.new("scratch/strace")
    #   system(*trace.prefix, "ruby", "script.rb")
    #   trace.segments   # => [["changed", ["flock", "stat", "flock", …]]]
    #
    # All names of one call are reported as the same name (`newfstatat` is `stat`, `lstat`
    # or `fstat`), so that the counts are equal on every libc and kernel. The calls of all
    # threads count, and with `-f` those of all processes. Tests and benchmarks use this.
    class MarkedTrace
      # Calls on files. Memory, signals, locks and clocks are left out: the VM decides when
      # it needs them, so their number varies.
      FILE_CALLS = %w[
        access chdir chmod chown close copy_file_range creat dup dup2 dup3 faccessat faccessat2 fadvise64 fallocate
        fchdir fchmod fchmodat fchown fchownat fcntl fdatasync fgetxattr flock fstat fstatfs fsync ftruncate getcwd
        getdents getdents64 getxattr ioctl lchown lgetxattr link linkat lseek lstat mkdir mkdirat mknod mknodat
        newfstatat open openat openat2 pread64 preadv pwrite64 pwritev read readahead readlink readlinkat readv rename
        renameat renameat2 rmdir sendfile stat statfs statx symlink symlinkat sync sync_file_range syncfs truncate
        unlink unlinkat utime utimensat utimes write writev
      ].freeze
      END_MARK = "end"
      MARK = %r{"/frugal-mark/([\w/ -]+)"}
      LINE = /\A(?:(\d+) +)?(.*)/m # with -f, strace writes the process id first
      CALL = /\A(\w+)\(/
      VM_CHANNEL = /\A\w+\(\d+<(?:anon_inode|pipe|socket):/ # with -y, strace names the file of a descriptor
      private_constant :MARK, :LINE, :CALL, :VM_CHANNEL

      # @param name [String] letters, digits, spaces, hyphens and slashes
      # @return [String] the path of a file that does not exist
      def self.mark(name) = "/frugal-mark/#{name}"

      # @param log [String] the file to which strace writes
      # @param calls [Array<String>] the system calls to trace
      # @param separate_lstat [Boolean] whether `lstat` is a name of its own; otherwise it is `stat`
      def initialize(log, calls: FILE_CALLS, separate_lstat: false)
        @log = log
        @calls = calls
        @separate_lstat = separate_lstat
      end

      # @return [Array<String>] options of strace. The "?" makes it ignore a call that this architecture does not have.
      def options
        ["-e", "trace=#{@calls.map { |name| "?#{name}" }.join(",")}", "-e", "signal=none", "-o", @log]
      end

      # @param follow [Boolean] whether all threads and processes are traced
      # @return [Array<String>] the words to put before a command
      def prefix(follow: true) = ["strace", "-qq", *("-f" if follow), *options, "--"]

      # @return [Array<Array(String, Array<String>)>] each mark but the end mark, and the names of the calls from
      #   there to the next mark, in order; a segment that no mark ends is left out
      def segments
        segments = []
        names = nil
        each_line do |line|
          mark = line[MARK, 1]&.force_encoding(Encoding::UTF_8)
          segments.last&.push(names) if mark && names
          segments << [mark] if mark && mark != END_MARK
          names = mark == END_MARK ? nil : [] if mark
          names&.push(*name(line)) unless mark
        end
        segments.select { |_, calls| calls }
      end

      # @return [Hash{String => Hash{String => Integer}}] mark → name of the call → number of calls
      def counts
        segments.each_with_object({}) do |(mark, names), counts|
          (counts[mark] ||= Hash.new(0)).merge!(names.tally) { |_, before, more| before + more }
        end
      end

      private

      # Joins the two lines into which strace splits a call when another thread makes one meanwhile.
      def each_line
        pending = {}
        File.foreach(@log, chomp: true, encoding: Encoding::BINARY) do |text|
          pid, line = LINE.match(text).captures
          if line.end_with?("<unfinished ...>")
            pending[pid] = line.delete_suffix("<unfinished ...>")
          elsif line.start_with?("<... ")
            yield pending.delete(pid).to_s + line.sub(/\A<\.\.\. \S+ resumed>/, "")
          else
            yield line
          end
        end
      end

      # @return [String, nil] nil if the line is no call on a file, such as the exit of a process
      def name(line)
        name = line[CALL, 1]
        return if name.nil? || line.match?(VM_CHANNEL)

        case name
        when "newfstatat", "statx", "fstatat64" then stat_name(line)
        when "openat", "openat2" then "open"
        else name.delete_suffix("64")
        end
      end

      def stat_name(line)
        return "fstat" if line.include?("AT_EMPTY_PATH")

        @separate_lstat && line.include?("AT_SYMLINK_NOFOLLOW") ? "lstat" : "stat"
      end
    end
  end
end

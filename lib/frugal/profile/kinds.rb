# frozen_string_literal: true

module Frugal
  module Profile
    # The kinds of libc functions, by their names.
    module Kinds
      # Ask for attributes.
      STATS = %i[stat lstat fstat fstatat statx access eaccess faccessat statfs fstatfs].freeze
      # Return a descriptor of a file or directory.
      OPENS = %i[open openat creat fopen opendir].freeze
      READS = %i[read pread readv readdir getdents64 readlink realpath sendfile].freeze
      # Change files or directories.
      WRITES = %i[write pwrite writev copy_file_range truncate ftruncate mkdir mkfifo mknod rename unlink rmdir link
                  symlink chmod fchmod chown fchown utime fsync fdatasync fallocate].freeze
      # Only return an answer about a path.
      QUESTIONS = %i[stat lstat fstatat statx access eaccess faccessat readlink realpath].freeze

      # Events that are not file calls: computations of the program, its writes to terminals, pipes and sockets, and its
      # waits.
      PROBES = %i[digest backtrace output wait].freeze

      OF = { stats: STATS, opens: OPENS, reads: READS, writes: WRITES }.freeze

      # @param by_name [Hash{Symbol => Integer}] calls by the name of the function, and exceptions as +:raise+
      # @return [Hash{Symbol => Integer}] +:calls+, +:stats+, +:opens+, +:reads+, +:writes+ and +:exceptions+
      def self.totals(by_name)
        kinds = OF.transform_values { |names| names.sum { |name| by_name.fetch(name, 0) } }
        exceptions = by_name.fetch(:raise, 0)
        { calls: by_name.values.sum - exceptions, **kinds, exceptions: exceptions }
      end
    end
  end
end

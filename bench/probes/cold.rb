# frozen_string_literal: true

module Frugal
  module ProbesBench
    # Drops caches of the file system, as far as that is allowed.
    #
    # [drop]  drops all caches of the machine, by /proc/sys/vm/drop_caches: root only
    # [files] drops the contents of the files, by posix_fadvise; names and times stay in
    #         memory, so that only reading a file is cold
    # [no]    drops nothing
    class Cold
      DROP = "/proc/sys/vm/drop_caches"
      WAYS = %w[drop files no].freeze

      # @return [String] one of {WAYS}
      attr_reader :way
      # @return [String] a note for the report
      attr_reader :note

      # @param wanted [String, nil] one of {WAYS}; nil: the best that is allowed
      # @param tree [Tree]
      # @param file_system [String] its type: a tmpfs has no disk, so it cannot be cold
      # @raise [Error] if the wanted way is not allowed
      def initialize(wanted, tree, file_system)
        raise Error, "#{DROP} is not writable: --cold drop works only for root, on Linux" if wanted == "drop" && !File.writable?(DROP)

        @tree = tree
        @way, @note = choose(wanted, file_system)
      end

      # @param question [Symbol]
      # @param presence [Symbol]
      # @return [Boolean] whether this question can be measured cold
      def possible?(question, presence)
        way == "drop" || (way == "files" && question == :read && presence == :present)
      end

      # @return [void]
      def drop_caches
        return File.write(DROP, "3") if way == "drop"

        @tree.files.each { |name| File.open(name) { |file| file.advise(:dontneed) } }
      end

      # Writes modified pages to the disk, because only unmodified pages can be dropped.
      #
      # @return [void]
      def write_back
        return if way == "no"
        return system("sync") if way == "drop"

        @tree.files.each { |name| File.open(name, &:fsync) }
      end

      private

      def choose(wanted, file_system)
        return ["no", "cold was not measured (--cold no)"] if wanted == "no"
        return ["no", "cold was not measured: #{file_system} keeps everything in memory"] if %w[tmpfs ramfs].include?(file_system)

        if wanted == "drop" || (wanted.nil? && File.writable?(DROP))
          ["drop", "cold: all caches of this machine are dropped before each idiom (#{DROP}); the disk of a virtual machine " \
                   "may still be in the memory of its host"]
        else
          ["files", "cold: only the contents of the files are dropped, by posix_fadvise; names and times stay in memory, " \
                    "because only root can drop them (--cold drop)"]
        end
      end
    end
  end
end

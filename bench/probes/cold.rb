# frozen_string_literal: true

module Frugal
  module ProbesBench
    # Makes the cache forget, where that is allowed.
    #
    # [drop]  all caches of the machine, by /proc/sys/vm/drop_caches: root only
    # [files] what the files hold, by posix_fadvise; names and times stay, so
    #         only reading them gets cold
    # [no]    nothing
    class Cold
      DROP = "/proc/sys/vm/drop_caches"
      WAYS = %w[drop files no].freeze

      # @return [String] one of {WAYS}
      attr_reader :way
      # @return [String] what a report has to say of it
      attr_reader :note

      # @param wanted [String, nil] one of {WAYS}; nil: what is allowed here
      # @param tree [Tree]
      # @param file_system [String] a tmpfs has no disk to be colder than
      # @raise [Error] where the wanted way is not allowed
      def initialize(wanted, tree, file_system)
        raise Error, "#{DROP} is not writable: --cold drop is for root, on Linux" if wanted == "drop" && !File.writable?(DROP)

        @tree = tree
        @way, @note = choose(wanted, file_system)
      end

      # @param question [Symbol]
      # @param presence [Symbol]
      # @return [Boolean] whether this can be asked cold
      def possible?(question, presence)
        way == "drop" || (way == "files" && question == :read && presence == :present)
      end

      # @return [void]
      def forget
        return drop if way == "drop"

        @tree.files.each { |name| File.open(name) { |file| file.advise(:dontneed) } }
      end

      # Pages that are not written yet cannot be forgotten.
      #
      # @return [void]
      def settle
        return if way == "no"
        return system("sync") if way == "drop"

        @tree.files.each { |name| File.open(name, &:fsync) }
      end

      private

      def choose(wanted, file_system)
        return ["no", "cold was not measured (--cold no)"] if wanted == "no"
        return ["no", "cold was not measured: #{file_system} keeps everything in memory"] if %w[tmpfs ramfs].include?(file_system)

        if wanted == "drop" || (wanted.nil? && File.writable?(DROP))
          ["drop", "cold: all caches of this machine are dropped before each idiom (#{DROP}); a disk of a virtual machine " \
                   "may still be in its host's memory"]
        else
          ["files", "cold: only what files hold, by posix_fadvise; names and times stay in memory, as forgetting those takes root " \
                    "(--cold drop)"]
        end
      end

      def drop
        File.write(DROP, "3")
      end
    end
  end
end

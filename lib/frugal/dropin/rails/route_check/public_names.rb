# frozen_string_literal: true

module Frugal
  module Dropin
    module Rails
      # The names in public/ that a path may begin with, with and without extension: the file
      # "about.html" answers /about and /about.html. The folder is listed again after it has changed.
      class PublicNames
        # For this many seconds, a second change of the folder may leave the same mtime: longer than the
        # coarsest clock of a file system (FAT, 2 s). The limit is compared with the time since this process
        # first saw the mtime, because the clock of a file server may be wrong.
        UNSURE = 3

        # @return [Float] seconds, by the monotonic clock
        def self.now = ::Process.clock_gettime(::Process::CLOCK_MONOTONIC)

        # @param folder [String, nil] nil if no file is served
        def initialize(folder)
          @folder = folder&.to_s
        end

        # @param name [String] a path's first segment
        # @return [Boolean] whether a file or folder of public/ may answer it
        # *Cost*: one +stat+; after a change of the folder +open+, +getdents+ and +close+, too.
        def include?(name)
          return false unless @folder

          stat = Native.engine.stat(@folder)
          return false unless stat # then stock finds no file, either

          names(stat).key?(name.downcase)
        rescue ::SystemCallError
          true
        end

        private

        def names(stat)
          listed, names = @listed
          return names if listed && Unchanged.same?(listed, stat)

          seen, since = @seen
          unless seen && Unchanged.same?(seen, stat)
            since = PublicNames.now
            @seen = [stat, since]
          end
          sure = PublicNames.now - since > UNSURE
          names = list
          @listed = [stat, names] if sure
          names
        end

        # In lower case, because some file systems ignore case.
        def list
          Native.engine.children(@folder).to_a.each_with_object({}) do |name, names|
            name = name.downcase
            names[name] = true
            names[name] = true while (name = name[/\A(.+)\.[^.]*\z/m, 1])
          end
        end
      end
    end
  end
end

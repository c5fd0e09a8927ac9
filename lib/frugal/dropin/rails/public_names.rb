# frozen_string_literal: true

module Frugal
  module Dropin
    module Rails
      # The names in public/, as far as a path may be answered by them: "about.html" by
      # /about and /about.html. The folder is listed again whenever it has changed.
      class PublicNames
        # Seconds in which a folder may change again without another time of change: more
        # than the coarsest file system counts (FAT, 2 s). The clock of a server may be
        # behind, so what counts is how long that time has been seen, not how old it is.
        UNSURE = 3

        # @return [Float] seconds, by the clock that nobody sets
        def self.now = ::Process.clock_gettime(::Process::CLOCK_MONOTONIC)

        # @param folder [String, nil] nil: no file is served
        def initialize(folder)
          @folder = folder&.to_s
        end

        # @param name [String] a path's first segment
        # @return [Boolean] whether a file or folder of public/ may answer it
        # Cost: one +stat+; +open+, +getdents+, +close+ more where the folder has changed.
        def include?(name)
          return false unless @folder

          stat = Native.engine.stat(@folder)
          return false unless stat # stock asks in vain, too

          names(stat).key?(name.downcase)
        rescue ::SystemCallError
          true
        end

        private

        def names(stat)
          known, names = @known
          return names if known && same?(known, stat)

          seen, since = @seen
          seen, since = @seen = [stat, PublicNames.now] unless seen && same?(seen, stat)
          sure = PublicNames.now - since > UNSURE
          names = list
          @known = [stat, names] if sure
          names
        end

        def same?(one, other) = one.mtime == other.mtime && one.ino == other.ino && one.dev == other.dev

        # Some file systems tell no case apart.
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

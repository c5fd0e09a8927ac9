# frozen_string_literal: true

module Frugal
  module Dropin
    module Rails
      # The names in public/, as far as a path may be answered by them: "about.html" by
      # /about and /about.html. The folder is listed again whenever it has changed.
      class PublicNames
        # Seconds in which a folder may change again without another time of change.
        UNSURE = 2

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
          return names if known && known.mtime == stat.mtime && known.ino == stat.ino && known.dev == stat.dev

          names = list
          @known = [stat, names] if ::Time.now - stat.mtime > UNSURE
          names
        end

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

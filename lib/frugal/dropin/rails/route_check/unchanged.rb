# frozen_string_literal: true

require_relative "../../../platform"

module Frugal
  module Dropin
    module Rails
      # Compares the attributes of a file or folder with earlier ones. `File::Stat#<=>` compares the mtimes, without
      # objects and without Active Support's `Time#==`. JRuby's compares seconds only.
      module Unchanged
        SECONDS = Platform::JRUBY
        private_constant :SECONDS

        # @param one [File::Stat]
        # @param other [File::Stat]
        # @return [Boolean] whether both are the same file with the same size and mtime
        # *Cost*: no object under MRI.
        def self.same?(one, other)
          (one <=> other) == 0 && one.ino == other.ino && one.size == other.size && one.dev == other.dev &&
            (!SECONDS || one.mtime.nsec == other.mtime.nsec)
        end
      end
    end
  end
end

# frozen_string_literal: true

module Frugal
  module Dropin
    module Find
      # Counts the calls of Dir.chdir, Dir.fchdir and Dir#chdir. By this count, a walk from a relative
      # root detects, without a system call per path, whether the current directory changed. The methods
      # work as before. If one of them is not Ruby's own, the calls are not counted, and a walk calls
      # `getcwd` instead.
      module Chdir
        METHODS = [[::Dir.singleton_class, :chdir], [::Dir.singleton_class, :fchdir], [::Dir, :chdir]].freeze
        private_constant :METHODS

        # Replaces the methods.
        #
        # *Cost*: no system call.
        def self.count
          defined = METHODS.select { |owner, name| owner.method_defined?(name) } # the last two since Ruby 3.3
          return unless defined.all? { |owner, name| Guard.core?(owner, name) }

          chdir = Native.engine::Chdir
          defined.each { |owner, name| Replace.native(owner, name) { chdir.define(owner, name) } }
          chdir.use_count
        end
      end
    end
  end
end

# frozen_string_literal: true

module Frugal
  module Dropin
    module Find
      # Counts the calls of Dir.chdir, Dir.fchdir and Dir#chdir. A walk from a relative root
      # then knows, without a system call per path, whether the current directory changed.
      # The methods work as before. If one of them is not Ruby's own, they are not counted, and
      # a walk calls `getcwd` instead.
      module Chdir
        METHODS = [[::Dir.singleton_class, :Singleton, :chdir], [::Dir.singleton_class, :Singleton, :fchdir],
                   [::Dir, :Instance, :chdir]].freeze
        private_constant :METHODS

        # Replaces the methods.
        #
        # *Cost*: no system call.
        def self.count
          defined = METHODS.select { |owner, _, name| owner.method_defined?(name) } # the last two since Ruby 3.3
          return unless defined.all? { |owner, _, name| Guard.core?(owner, name) }

          defined.each do |owner, kind, name|
            Replace.method(owner, name, Native.engine::Chdir.const_get(kind).instance_method(name))
          end
          Native.engine::Chdir.use_count
        end
      end
    end
  end
end

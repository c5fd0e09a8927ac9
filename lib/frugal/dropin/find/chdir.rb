# frozen_string_literal: true

module Frugal
  module Dropin
    module Find
      # Has Dir.chdir, Dir.fchdir and Dir#chdir counted, so that a walk from a
      # relative root need not ask the kernel for each path where the process is.
      # They do what they did; where one is not Ruby's own, the kernel is asked.
      module Chdir
        METHODS = [[::Dir.singleton_class, :Singleton, :chdir], [::Dir.singleton_class, :Singleton, :fchdir],
                   [::Dir, :Instance, :chdir]].freeze
        private_constant :METHODS

        # Cost: no system call.
        def self.count
          there = METHODS.select { |owner, _, name| owner.method_defined?(name) } # the latter two since Ruby 3.3
          return unless there.all? { |owner, _, name| Guard.core?(owner, name) }

          there.each do |owner, kind, name|
            Replace.method(owner, name, Native.engine::Chdir.const_get(kind).instance_method(name))
          end
          Native.engine::Chdir.told
        end
      end
    end
  end
end

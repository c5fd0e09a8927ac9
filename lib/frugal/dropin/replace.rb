# frozen_string_literal: true

module Frugal
  module Dropin
    # Puts methods in the place of upstream's. Each original stays under its name
    # with +frugal_stock_+ in front, private; user code that redefines a method
    # afterwards replaces ours, as it would have replaced upstream's.
    #
    #   Replace.methods(Sprockets::PathUtils, Dropin::Sprockets::PathUtils)
    module Replace
      class << self
        # @param target [Module] upstream's
        # @param ours [Module] the methods that take their place, as public or private as they are there
        # @return [void]
        def methods(target, ours)
          (ours.instance_methods(false) + ours.private_instance_methods(false)).each do |name|
            # Under an alias, so that Ruby does not warn of a redefinition.
            target.alias_method(:"frugal_stock_#{name}", name)
            target.__send__(:private, :"frugal_stock_#{name}")
            target.define_method(name, ours.instance_method(name))
            target.__send__(ours.private_method_defined?(name) ? :private : :public, name)
          end
        end
      end
    end
  end
end

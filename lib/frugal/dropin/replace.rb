# frozen_string_literal: true

module Frugal
  module Dropin
    # Puts methods in the place of upstream's. Each original stays under its name
    # with +frugal_stock_+ in front, private; user code that redefines a method
    # afterwards replaces ours, as it would have replaced upstream's.
    #
    #   Replace.methods(Sprockets::PathUtils, Dropin::Sprockets::PathUtils)
    #   Replace.method(Dir.singleton_class, :[], ours)   # stock: frugal_stock_at
    module Replace
      # What a method's name begins with cannot stand before these.
      OPERATORS = { "[]": "at", "|": "or" }.freeze
      private_constant :OPERATORS

      class << self
        # @param target [Module] upstream's
        # @param ours [Module] the methods that take their place, as visible as they are there
        # @yieldparam name [Symbol] of a method that upstream has
        # @yieldreturn [Boolean] whether it is to be replaced (without a block: all are)
        # @return [void]
        def methods(target, ours)
          (ours.instance_methods(false) + ours.private_instance_methods(false)).each do |name|
            if target.method_defined?(name) || target.private_method_defined?(name)
              next unless !block_given? || yield(name)

              keep(target, name)
            end
            define(target, name, ours.instance_method(name), visibility(ours, name))
          end
        end

        # @param target [Module] upstream's
        # @param name [Symbol] a method that it has, whose visibility ours gets
        # @param ours [UnboundMethod]
        # @return [void]
        def method(target, name, ours)
          keep(target, name)
          define(target, name, ours, visibility(target, name))
        end

        private

        # Ruby does not warn where a method that has an alias is redefined.
        def keep(target, name)
          stock = :"frugal_stock_#{OPERATORS.fetch(name, name)}"
          target.alias_method(stock, name)
          target.__send__(:private, stock)
        end

        def define(target, name, ours, visibility)
          target.define_method(name, ours)
          target.__send__(visibility, name)
        end

        def visibility(owner, name)
          return :private if owner.private_method_defined?(name)

          owner.protected_method_defined?(name) ? :protected : :public
        end
      end
    end
  end
end

# frozen_string_literal: true

require_relative "callee"

module Frugal
  module Dropin
    # Puts methods in the place of upstream's. Each original stays under its name
    # with +frugal_stock_+ in front, private; user code that redefines a method
    # afterwards replaces ours, as it would have replaced upstream's.
    #
    #   Replace.all_or_none do
    #     Replace.methods(Sprockets::PathUtils, Dropin::Sprockets::PathUtils)
    #     Replace.method(Dir.singleton_class, :[], ours)   # stock: frugal_stock_at
    #   end
    module Replace
      # What a method's name begins with cannot stand before these.
      OPERATORS = { "[]": "at", "|": "or" }.freeze
      private_constant :OPERATORS

      class << self
        # Takes back what the block has replaced, unless the block comes to its end.
        #
        # @return [Object] what the block returned
        # @raise what the block raised
        def all_or_none
          ::Thread.current[:frugal_undo] = []
          yield.tap { Callee.put_in_place }
        rescue ::Exception # rubocop:disable Lint/RescueException -- a signal's handler may raise anything
          take_back(::Thread.current[:frugal_undo])
          raise
        ensure
          ::Thread.current[:frugal_undo] = nil
        end

        # @param target [Module] upstream's
        # @param ours [Module] the methods that take their place, as visible as they are there
        # @yieldparam name [Symbol] of a method that upstream has
        # @yieldreturn [Boolean] whether it is to be replaced (without a block: all are)
        # @return [void]
        # @raise [UsageError] where a module stands before upstream's method
        def methods(target, ours)
          (ours.instance_methods(false) + ours.private_instance_methods(false)).each do |name|
            known = target.method_defined?(name) || target.private_method_defined?(name)
            next if known && block_given? && !yield(name)

            known ? put(target, name, ours.instance_method(name), visibility(ours, name)) : add(target, name, ours)
          end
        end

        # @param target [Module] upstream's
        # @param name [Symbol] a method that it has, whose visibility ours gets
        # @param ours [UnboundMethod]
        # @param aliases [Array<Symbol>] other names of that method
        # @return [void]
        # @raise [UsageError] where a module stands before upstream's method
        def method(target, name, ours, aliases: [])
          put(target, name, ours, visibility(target, name))
          aliases.each do |other|
            visible = visibility(target, other)
            undo { rename(target, stock_name(name), other, visible) }
            target.alias_method(other, name)
          end
        end

        # @param target [Module] upstream's
        # @param name [Symbol] one of its module functions
        # @param ours [UnboundMethod]
        # @param aliases [Array<Symbol>] other names, made as upstream makes them: an alias first, a module function then
        # @return [void]
        # @raise [UsageError] where a module stands before upstream's method
        def module_function(target, name, ours, aliases: [])
          others = -> { aliases.each { |other| target.__send__(:module_function, other) } }
          undo(&others)
          method(target, name, ours, aliases: aliases)
          method(target.singleton_class, name, ours)
          others.call
        end

        private

        def put(target, name, ours, visible)
          owner = target.instance_method(name).owner
          raise UsageError, "#{owner} stands before #{target}##{name}" if prepended?(owner, target)

          before = visibility(target, name)
          undo { put_back(target, name, before, owner.equal?(target)) }
          # Ruby does not warn where a method that has an alias is redefined.
          target.alias_method(stock_name(name), name)
          target.__send__(:private, stock_name(name))
          Callee.replaced(ours, target, stock_name(name))
          define(target, name, ours, visible)
        end

        def add(target, name, ours)
          undo { remove(target, name) }
          define(target, name, ours.instance_method(name), visibility(ours, name))
        end

        def define(target, name, ours, visible)
          target.define_method(name, ours)
          target.__send__(visible, name)
        end

        def put_back(target, name, visible, own)
          return unless defined_in?(target, stock_name(name))

          own ? rename(target, stock_name(name), name, visible) : remove(target, name)
          remove(target, stock_name(name))
        end

        def rename(target, from, to, visible)
          target.alias_method(:frugal_undone, to) # so that Ruby does not warn of a redefinition
          target.alias_method(to, from)
          target.__send__(visible, to)
          remove(target, :frugal_undone)
        end

        def remove(target, name)
          target.__send__(:remove_method, name) if defined_in?(target, name)
        end

        def undo(&step) = ::Thread.current[:frugal_undo]&.unshift(step)

        # Each step may be repeated: what a signal's handler raises in one waits for the last of them.
        def take_back(steps)
          interruption = nil
          steps.each do |step|
            step.call
          rescue ::FrozenError
            nil # nothing was replaced in it
          rescue ::Exception => error # rubocop:disable Lint/RescueException
            interruption ||= error
            step.call
          end
          raise interruption if interruption
        end

        def prepended?(owner, target)
          target.ancestors.take_while { |one| !one.equal?(target) }.any? { |one| one.equal?(owner) }
        end

        def defined_in?(target, name) = target.method_defined?(name, false) || target.private_method_defined?(name, false)

        def stock_name(name) = :"frugal_stock_#{OPERATORS.fetch(name, name)}"

        def visibility(owner, name)
          return :private if owner.private_method_defined?(name)

          owner.protected_method_defined?(name) ? :protected : :public
        end
      end
    end
  end
end

# frozen_string_literal: true

require_relative "callee"

module Frugal
  module Dropin
    # Replaces methods of upstream. Keeps each original as a private method with the
    # prefix `frugal_stock_`. User code that redefines a method afterwards replaces ours,
    # as it would have replaced upstream's.
    #
    #   Replace.all_or_none do
    #     Replace.methods(Sprockets::PathUtils, Dropin::Sprockets::PathUtils)
    #     Replace.method(Dir.singleton_class, :[], ours)   # the original: frugal_stock_at
    #   end
    module Replace
      # Names for operators, which cannot follow a prefix.
      OPERATORS = { "[]": "at", "|": "or" }.freeze
      # Thread => the steps that undo its replacements; frozen when they are complete. JRuby would keep a name in
      # Thread#keys for ever, and its Hash is not for several threads. In Ruby 3.1, GC.compact breaks a WeakMap
      # (https://bugs.ruby-lang.org/issues/19529).
      UNDO = RUBY_ENGINE == "jruby" ? ::ObjectSpace::WeakMap.new : {}.compare_by_identity
      private_constant :OPERATORS, :UNDO

      class << self
        # Undoes all replacements of the block if it does not complete.
        #
        # @return [Object] the block's result
        # @raise the block's exception
        def all_or_none
          UNDO[::Thread.current] = steps = []
          yield.tap { Callee.patch_error_highlight }
        rescue ::Exception # rubocop:disable Lint/RescueException -- a signal's handler may raise anything
          undo_all(steps) if steps
          raise
        ensure
          steps&.freeze
          UNDO.delete(::Thread.current) if UNDO.respond_to?(:delete) # from Ruby 3.3 on, a WeakMap does
        end

        # Replaces upstream's methods by all methods of a module, and adds those that
        # upstream does not have. They keep the visibility that they have in the module.
        #
        # @param target [Module] upstream's
        # @param ours [Module] the new methods
        # @yieldparam name [Symbol] the name of a method that upstream has
        # @yieldreturn [Boolean] whether to replace it (without a block: all)
        # @return [void]
        # @raise [UsageError] if a prepended module overrides upstream's method
        def methods(target, ours)
          (ours.instance_methods(false) + ours.private_instance_methods(false)).each do |name|
            exists = target.method_defined?(name) || target.private_method_defined?(name)
            next if exists && block_given? && !yield(name)

            exists ? replace(target, name, ours.instance_method(name), visibility(ours, name)) : add(target, name, ours)
          end
        end

        # Replaces one method, and its aliases. The new method gets the visibility of the
        # original.
        #
        # @param target [Module] upstream's
        # @param name [Symbol] the name of a method that it has
        # @param ours [UnboundMethod]
        # @param aliases [Array<Symbol>] other names of that method
        # @return [void]
        # @raise [UsageError] if a prepended module overrides upstream's method
        def method(target, name, ours, aliases: [])
          replace(target, name, ours, visibility(target, name))
          aliases.each do |other|
            visible = visibility(target, other)
            undo { rename(target, stock_name(name), other, visible) }
            target.alias_method(other, name)
          end
        end

        # Replaces a module function, and its aliases.
        #
        # @param target [Module] upstream's
        # @param name [Symbol] the name of a module function
        # @param ours [UnboundMethod]
        # @param aliases [Array<Symbol>] other names; upstream creates each as an alias, then makes it a module function
        # @return [void]
        # @raise [UsageError] if a prepended module overrides upstream's method
        def module_function(target, name, ours, aliases: [])
          copy_aliases = -> { aliases.each { |other| target.__send__(:module_function, other) } }
          undo(&copy_aliases)
          method(target, name, ours, aliases: aliases)
          method(target.singleton_class, name, ours)
          copy_aliases.call
        end

        private

        def replace(target, name, ours, visible)
          owner = target.instance_method(name).owner
          raise UsageError, "#{owner} overrides #{target}##{name}" if prepended?(owner, target)

          before = visibility(target, name)
          undo { restore(target, name, before, owner.equal?(target)) }
          # The alias also prevents Ruby's warning about a redefinition.
          target.alias_method(stock_name(name), name)
          target.__send__(:private, stock_name(name))
          Callee.register(ours, target, stock_name(name))
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

        def restore(target, name, visible, own)
          return unless defined_in?(target, stock_name(name))

          own ? rename(target, stock_name(name), name, visible) : remove(target, name)
          remove(target, stock_name(name))
        end

        def rename(target, from, to, visible)
          target.alias_method(:frugal_undone, to) # prevents Ruby's warning about a redefinition
          target.alias_method(to, from)
          target.__send__(visible, to)
          remove(target, :frugal_undone)
        end

        def remove(target, name)
          target.__send__(:remove_method, name) if defined_in?(target, name)
        end

        # Registers a step that {all_or_none} runs if its block fails.
        def undo(&step)
          steps = UNDO[::Thread.current]
          steps.unshift(step) if steps && !steps.frozen?
        end

        # Runs all steps. A step is repeated if a signal's handler raises in it; the exception is raised at the end.
        def undo_all(steps)
          interruption = nil
          steps.each do |step|
            step.call
          rescue ::FrozenError
            nil # nothing was replaced in a frozen class
          rescue ::Exception => e # rubocop:disable Lint/RescueException
            interruption ||= e
            step.call
          end
          raise interruption if interruption
        end

        def prepended?(owner, target)
          target.ancestors.take_while { |one| !one.equal?(target) }.any? { |one| one.equal?(owner) }
        end

        def defined_in?(target, name)
          target.method_defined?(name, false) || target.private_method_defined?(name, false)
        end

        def stock_name(name) = :"frugal_stock_#{OPERATORS.fetch(name, name)}"

        def visibility(owner, name)
          return :private if owner.private_method_defined?(name)

          owner.protected_method_defined?(name) ? :protected : :public
        end
      end
    end
  end
end

# frozen_string_literal: true

require_relative "callee"
require_relative "entry_method"

module Frugal
  module Dropin
    # Replaces methods of upstream. Keeps each original as a private method with the
    # prefix `frugal_stock_`. User code that redefines a method afterwards replaces ours,
    # as it would have replaced upstream's.
    #
    # A new method has the parameters and the visibility of the original, and is compiled with its path and line: see
    # {EntryMethod}.
    #
    #   Replace.all_or_none do
    #     Replace.methods(Sprockets::PathUtils, Dropin::Sprockets::PathUtils)
    #     Replace.method(Dir.singleton_class, :[], ours)   # the original: frugal_stock_at
    #   end
    module Replace
      # Names for operators, which cannot follow a prefix.
      OPERATORS = { "[]": "at", "|": "or" }.freeze
      # Thread => the steps that undo its replacements; frozen when they are complete. JRuby would keep a name in
      # Thread#keys permanently, and its Hash is not thread-safe. In Ruby 3.1, GC.compact breaks a WeakMap
      # (https://bugs.ruby-lang.org/issues/19529).
      UNDO = Platform::JRUBY ? ::ObjectSpace::WeakMap.new : {}.compare_by_identity
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
        # @raise [UsageError] if a prepended module overrides upstream's method, or the new one differs visibly from it
        def methods(target, ours)
          (ours.instance_methods(false) + ours.private_instance_methods(false)).each do |name|
            exists = target.method_defined?(name) || target.private_method_defined?(name)
            next if exists && block_given? && !yield(name)
            next add(target, name, ours) unless exists

            visible = visibility(ours, name)
            refuse(target, name, "is not #{visible}") unless visible == visibility(target, name)
            replace(target, name, EntryMethod.of(ours, ours.instance_method(name)))
          end
        end

        # Replaces one method, and its aliases. The new method gets the visibility of the
        # original.
        #
        # @param target [Module] upstream's
        # @param name [Symbol] the name of a method that it has
        # @param ours [EntryMethod, UnboundMethod]
        # @param aliases [Array<Symbol>] other names of that method
        # @return [void]
        # @raise (see #methods)
        def method(target, name, ours, aliases: [])
          replace(target, name, ours)
          aliases.each do |other|
            visible = visibility(target, other)
            undo { rename(target, stock_name(name), other, visible) }
            target.alias_method(other, name)
          end
        end

        # Replaces a method that is written in C by one that the engine defines.
        #
        # @param target [Module] Ruby's
        # @param name [Symbol]
        # @yield defines the new method, which has the same parameters
        # @return [void]
        # @raise [UsageError] if a prepended module overrides it
        def native(target, name)
          refuse_prepended(target, name)
          visible = visibility(target, name)
          keep(target, name)
          yield
          target.__send__(visible, name)
        end

        # Replaces a module function, and its aliases.
        #
        # @param target [Module] upstream's
        # @param name [Symbol] the name of a module function
        # @param ours [EntryMethod]
        # @param aliases [Array<Symbol>] other names; upstream creates each as an alias, then makes it a module function
        # @return [void]
        # @raise (see #methods)
        def module_function(target, name, ours, aliases: [])
          copy_aliases = -> { aliases.each { |other| target.__send__(:module_function, other) } }
          undo(&copy_aliases)
          singleton = target.singleton_class
          refuse_prepended(singleton, name)
          keep(singleton, name)
          method(target, name, ours, aliases: aliases)
          target.__send__(:module_function, name) # as upstream does: both are one method
          copy_aliases.call
        end

        private

        def replace(target, name, ours)
          stock = target.instance_method(name)
          visible = visibility(target, name)
          refuse_prepended(target, name)
          definition = definition(ours, stock)
          sample = ::Module.new(&definition).instance_method(name)
          refuse(target, name, "has other parameters") unless same_parameters?(sample, stock)

          keep(target, name)
          Callee.register(sample, target, stock_name(name))
          definition.call(target)
          target.__send__(visible, name)
        end

        # @return [Proc] defines the method in a Module
        def definition(ours, stock)
          return ours.compile(stock) if EntryMethod === ours

          ->(target) { target.define_method(stock.name, ours) }
        end

        # Keeps the original.
        def keep(target, name)
          before = visibility(target, name)
          own = target.instance_method(name).owner.equal?(target)
          undo { restore(target, name, before, own) }
          # The alias also prevents Ruby's warning about a redefinition.
          target.alias_method(stock_name(name), name)
          target.__send__(:private, stock_name(name))
        end

        # Whether both accept the same calls. Names of positional parameters may differ, as they depend on upstream's
        # version.
        def same_parameters?(ours, stock)
          ours.arity == stock.arity && kinds(ours) == kinds(stock)
        end

        def kinds(method) = method.parameters.map { |kind, name| kind.match?(/key/) ? [kind, name] : kind }

        def refuse(owner, name, reason) = raise(UsageError, "#{owner}##{name} #{reason}")

        def add(target, name, ours)
          visible = visibility(ours, name)
          undo { remove(target, name) }
          target.define_method(name, ours.instance_method(name))
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

        def refuse_prepended(target, name)
          owner = target.instance_method(name).owner
          prepended = target.ancestors.take_while { |one| !one.equal?(target) }.any? { |one| one.equal?(owner) }
          refuse(target, name, "is overridden by #{owner}") if prepended
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

# frozen_string_literal: true

module Frugal
  module Dropin
    module Rake
      # Checks that Rake still has the methods that the native walk reimplements: that
      # none was redefined, no module was prepended, and no application overrides a
      # look-up.
      #
      # Programs do change them: an instrumentation prepends a module to Rake::Task, a test replaces
      # File.exist?. After that, Rake's own methods do all the work.
      module Hooks
        TASK_HOOKS = %i[
          initialize invoke_with_call_chain invoke_prerequisites invoke_prerequisites_concurrently
          prerequisites order_only_prerequisites prerequisite_tasks all_prerequisite_tasks
          collect_prerequisites lookup_prerequisite name to_s needed? timestamp execute enhance actions
          application scope arg_names already_invoked add_chain_to | == eql? hash
        ].freeze
        FILE_HOOKS = %i[needed? timestamp out_of_date?].freeze
        APPLICATION_HOOKS = %i[
          [] lookup lookup_in_scope synthesize_file_task enhance_with_matching_rule attempt_rule
          make_sources define_task intern resolve_args current_scope options
        ].freeze
        CLASS_HOOKS = %i[new allocate define_task scope_name format_deps].freeze
        FILE_PROBES = %i[exist? mtime stat].freeze
        # Ruby's own methods that Rake calls and the native walk does not.
        CORE = { ::Array => %i[+ any? empty? include?], ::Hash => %i[[] []=], ::String => %i[to_s == =~],
                 ::Time => %i[>], ::File.singleton_class => FILE_PROBES }.freeze
        LOCK = %i[synchronize enter exit mon_locked? mon_owned?].freeze
        RAKES_OWN = %w[Rake::Task Rake::FileTask Rake::TaskManager Rake::Application].freeze
        HOOKS = (TASK_HOOKS + FILE_HOOKS + APPLICATION_HOOKS + CLASS_HOOKS).uniq.freeze
        # Singleton methods that Rake itself calls, by the module that has them.
        SINGLETON_HOOKS = { Rake: %i[from_pathname], TaskManager: %i[record_task_metadata], FileTask: %i[scope_name],
                            Task: %i[scope_name format_deps] }.freeze

        # Methods of scopes, chains and arguments. The walk reads their instance variables instead.
        HELPERS = { LinkedList: %i[conj], Scope: %i[path path_with_task_name trim], InvocationChain: %i[append member?],
                    TaskArguments: %i[new_scope] }.freeze

        # Extends Rake's classes and reports each change of them to Hooks. A program that defines one of these
        # methods itself would hide ours, so that is reported as a change, too.
        module Watch
          NAMES = %i[method_added method_removed method_undefined singleton_method_added singleton_method_removed
                     singleton_method_undefined prepend include extend].freeze

          def prepend(*modules)
            super.tap { Hooks.module_added(self) }
          end

          def include(*modules)
            super.tap { Hooks.module_added(self) }
          end

          def extend(*modules)
            super.tap { Hooks.module_added(singleton_class) }
          end

          private

          %i[method_added method_removed method_undefined].each do |hook|
            define_method(hook) do |name|
              Hooks.method_changed(self, name)
              super(name)
            end
            define_method(:"singleton_#{hook}") do |name|
              Hooks.method_changed(singleton_class, name)
              super(name)
            end
          end
        end

        class << self
          # @return [String, nil] what the program changed before frugal was loaded
          def redefined_reason
            changed = redefined_method(Guard.folder(::Rake::Task, :invoke))
            return "#{changed.join("#")} was redefined" if changed

            missing = Patches.missing
            return "#{missing} is missing" if missing

            probe = FILE_PROBES.find { |name| !Guard.core?(::File.singleton_class, name) }
            "File.#{probe} was redefined" if probe
          end

          # From now on, each change of a hook is noticed.
          def watch(plan_class)
            @plan_class = plan_class
            @file = ::File
            @native = Native.engine
            @lock = LOCK.map { |name| ::Monitor.instance_method(name) }
            @watched = watched
            @ancestors = @watched.map { |klass| own_ancestors(klass) }
            owners = APPLICATION_HOOKS.map { |name| ::Rake::Application.instance_method(name).owner }
            @application_owners = APPLICATION_HOOKS.zip(owners).to_h
            @changed = false
            extend_classes
          end

          # A method of a watched class, or of its singleton class, was defined, removed or undefined.
          def method_changed(klass, name)
            @plan_class.ask_application if klass.equal?(::Rake.singleton_class) && name == :application
            names = @names[klass] or return
            use_stock if names.include?(name) || (Watch::NAMES.include?(name) && klass.singleton_class?)
          end

          # A module was prepended to, or included in, a watched class.
          def module_added(klass)
            @plan_class.ask_application if klass.equal?(::Rake.singleton_class)
            added = @names.key?(klass) ? own_ancestors(klass) - @mixed_in.fetch(klass) : []
            return if added.empty?

            # The module may get methods later. The walk checks that at each call, but a definition of a task
            # does not.
            @plan_class.trusted = false
            names = @names[klass] + Watch::NAMES
            use_stock if added.any? { |mod| defines_hook?(mod, names) }
          end

          # Whether the native walk may be used for an application.
          #
          # *Cost*: no system call, no exception; a few microseconds.
          def intact?(application)
            return false if @changed

            use_stock unless same_core? && same_ancestors?
            !@changed && stock_application?(application)
          end

          private

          # Rake's own methods do all the work from now on.
          def use_stock
            @changed = true
            @plan_class.trusted = false
          end

          # @return [Array(Module, Symbol), nil] the first hook that is not Rake's own
          def redefined_method(folder)
            hooks.find { |owner, name| !upstream?(owner, name, folder) } ||
              singleton_hooks.find { |owner, name| !singleton_pristine?(owner, name, folder) } ||
              helper_hooks.find { |owner, name| !Guard.pristine?(owner, name, folder) } ||
              LOCK.map { |name| [::Monitor, name] }.find { |owner, name| !Guard.core?(owner, name) }
          end

          def singleton_pristine?(owner, name, folder)
            Guard.pristine?(owner.singleton_class, name, folder, instance: owner)
          end

          def same_core?
            ::File.equal?(@file) && CORE.all? { |owner, names| @native.core?(owner, *names) } &&
              @lock.all? { |method| ::Monitor.instance_method(method.name) == method }
          rescue NameError
            false
          end

          # Whether no added module changes a hook. A module that defines none of the hooks may be added. A
          # module in Object, such as Rake::DSL in scripts, comes after Rake's own methods.
          def same_ancestors?
            @watched.each_with_index.all? do |klass, i|
              ancestors = own_ancestors(klass)
              ancestors == @ancestors[i] || (ancestors - @ancestors[i]).none? { |added| defines_hook?(added) }
            end
          end

          def defines_hook?(mod, hooks = HOOKS)
            hooks.intersect?(mod.instance_methods(false) + mod.private_instance_methods(false))
          end

          # The ancestors before Object.
          def own_ancestors(klass)
            ancestors = klass.ancestors
            ancestors.first(ancestors.index(::Object) || ancestors.size)
          end

          def stock_application?(application)
            return true if application.instance_of?(::Rake::Application) && application.singleton_methods.empty?
            return false unless application.is_a?(::Rake::Application)

            @application_owners.all? { |name, owner| application.method(name).owner.equal?(owner) }
          end

          def watched
            [::Rake::Task, ::Rake::FileTask, ::Rake::FileCreationTask, ::Rake::MultiTask,
             ::Rake::TaskManager, ::Rake::Application]
          end

          # Extends each class that has hooks with Watch. Watch reports nothing until @names is set.
          def extend_classes
            @names = {}
            names = hook_names
            (names.keys + [::Rake]).each { |klass| klass.extend(Watch) }
            @mixed_in = {}.compare_by_identity
            names.each_key { |klass| @mixed_in[klass] = own_ancestors(klass) }
            @names = names
          end

          # @return [Hash{Module => Array<Symbol>}] the methods on which the walk and the definitions depend
          def hook_names
            names = {}.compare_by_identity
            @watched.each { |klass| [klass, klass.singleton_class].each { |one| names[one] = HOOKS } }
            names[::Rake.singleton_class] = SINGLETON_HOOKS[:Rake]
            names[::Rake::TaskManager.singleton_class] += SINGLETON_HOOKS[:TaskManager]
            helpers.each { |klass| names[klass] = names[klass.singleton_class] = HELPERS.values.flatten }
            names
          end

          def helpers
            [::Rake::LinkedList, ::Rake::Scope, ::Rake::InvocationChain, ::Rake::TaskArguments,
             ::Rake::Scope::EmptyScope, ::Rake::LinkedList::EmptyLinkedList,
             ::Rake::InvocationChain::EmptyInvocationChain]
          end

          def helper_hooks
            HELPERS.flat_map { |name, methods| methods.map { |method| [::Rake.const_get(name), method] } }
          end

          def singleton_hooks
            SINGLETON_HOOKS.flat_map do |name, methods|
              owner = name == :Rake ? ::Rake : ::Rake.const_get(name)
              methods.map { |method| [owner, method] }
            end
          end

          # A hook that a class inherits is checked in the class that defines it.
          def hooks
            task = (TASK_HOOKS - %i[== eql? hash out_of_date?]).map { |name| [::Rake::Task, name] }
            file = FILE_HOOKS.map { |name| [::Rake::FileTask, name] }
            task + file + APPLICATION_HOOKS.map { |name| [::Rake::Application, name] }
          end

          def upstream?(klass, name, folder)
            owner = klass.instance_method(name).owner
            return false unless RAKES_OWN.include?(owner.name)
            return false if klass.equal?(::Rake::FileTask) && !owner.equal?(klass)

            Guard.pristine?(owner, name, folder)
          end
        end
      end
    end
  end
end

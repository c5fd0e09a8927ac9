# frozen_string_literal: true

module Frugal
  module Dropin
    module Rake
      # Knows whether Rake still does what the native walk assumes: no hook was
      # redefined, no module was prepended, no application overrides a look-up.
      #
      # Users do redefine: an instrumentation prepends to Rake::Task, a test
      # replaces File.exist?. From then on Rake's own methods do all the work.
      module Trust
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
        # Ruby's own methods that Rake calls on the way, and the walk does not.
        CORE = { ::Array => %i[+ any? empty? include?], ::Hash => %i[[] []=], ::String => %i[to_s == =~],
                 ::Time => %i[>], ::File.singleton_class => FILE_PROBES }.freeze
        LOCK = %i[synchronize enter exit].freeze
        RAKES_OWN = %w[Rake::Task Rake::FileTask Rake::TaskManager Rake::Application].freeze
        HOOKS = (TASK_HOOKS + FILE_HOOKS + APPLICATION_HOOKS + CLASS_HOOKS).uniq.freeze
        # Singleton methods of Rake's own beside those of tasks.
        RAKE_HOOKS = { Rake: %i[from_pathname], TaskManager: %i[record_task_metadata], FileTask: %i[scope_name],
                       Task: %i[scope_name format_deps] }.freeze

        # What the classes below keep of scopes, chains and arguments, and the walk reads by itself.
        HELPERS = { LinkedList: %i[conj], Scope: %i[path path_with_task_name trim], InvocationChain: %i[append member?],
                    TaskArguments: %i[new_scope] }.freeze

        # Tells Trust at once of what changes Rake's classes. A program that defines one of these hooks itself
        # would hide ours: that is a change, too.
        module Watch
          NAMES = %i[method_added method_removed method_undefined singleton_method_added singleton_method_removed
                     singleton_method_undefined prepend include extend].freeze

          def prepend(*modules)
            super.tap { Trust.mixed_in(self) }
          end

          def include(*modules)
            super.tap { Trust.mixed_in(self) }
          end

          def extend(*modules)
            super.tap { Trust.mixed_in(singleton_class) }
          end

          private

          %i[method_added method_removed method_undefined].each do |hook|
            define_method(hook) do |name|
              Trust.changed(self, name)
              super(name)
            end
            define_method(:"singleton_#{hook}") do |name|
              Trust.changed(singleton_class, name)
              super(name)
            end
          end
        end

        class << self
          # @return [String, nil] what was changed before frugal came
          def stranger_reason
            folder = Guard.folder(::Rake::Task, :invoke)
            changed = hooks.find { |owner, name| !upstream?(owner, name, folder) } ||
                      rake_hooks.find { |owner, name| !Guard.pristine?(owner.singleton_class, name, folder) } ||
                      helper_hooks.find { |owner, name| !Guard.pristine?(owner, name, folder) } ||
                      LOCK.map { |name| [::Monitor, name] }.find { |owner, name| !Guard.core?(owner, name) }
            return "#{changed.join("#")} was redefined" if changed

            missing = Patches.missing
            return "#{missing} is missing" if missing

            probe = FILE_PROBES.find { |name| !Guard.core?(::File.singleton_class, name) }
            "File.#{probe} was redefined" if probe
          end

          # From now on, changes count.
          def begin(plan_class)
            @plan_class = plan_class
            @file = ::File
            @native = Native.engine
            @lock = LOCK.map { |name| ::Monitor.instance_method(name) }
            @watched = watched
            @ancestors = @watched.map { |klass| own_ancestors(klass) }
            owners = APPLICATION_HOOKS.map { |name| ::Rake::Application.instance_method(name).owner }
            @application_owners = APPLICATION_HOOKS.zip(owners).to_h
            @lost = false
            watch
          end

          # A method of a watched class, or of its singleton class, was defined, removed or undefined.
          def changed(klass, name)
            @plan_class.ask_application if klass.equal?(::Rake.singleton_class) && name == :application
            names = @names[klass] or return
            lose if names.include?(name) || (Watch::NAMES.include?(name) && klass.singleton_class?)
          end

          # A module came into a watched class, in front of its methods or behind.
          def mixed_in(klass)
            @plan_class.ask_application if klass.equal?(::Rake.singleton_class)
            strangers = @names.key?(klass) ? own_ancestors(klass) - @mixed.fetch(klass) : []
            return if strangers.empty?

            # It may get methods later. The walk asks again, a definition does not.
            @plan_class.trusted = false
            names = @names[klass] + Watch::NAMES
            lose if strangers.any? { |stranger| hooks_in?(stranger, names) }
          end

          # Cost: no system call, no exception; a few microseconds.
          def intact?(application)
            return false if @lost

            lose unless same_core? && same_ancestors?
            !@lost && plain_application?(application)
          end

          private

          def lose
            @lost = true
            @plan_class.trusted = false
          end

          def same_core?
            ::File.equal?(@file) && CORE.all? { |owner, names| @native.core?(owner, *names) } &&
              @lock.all? { |method| ::Monitor.instance_method(method.name) == method }
          rescue NameError
            false
          end

          # Modules that define none of the hooks may come in. What is mixed into
          # Object, as scripts do with Rake::DSL, stands behind Rake's own methods.
          def same_ancestors?
            @watched.each_with_index.all? do |klass, i|
              ancestors = own_ancestors(klass)
              ancestors == @ancestors[i] || (ancestors - @ancestors[i]).none? { |stranger| hooks_in?(stranger) }
            end
          end

          def hooks_in?(stranger, hooks = HOOKS)
            !(hooks & (stranger.instance_methods(false) + stranger.private_instance_methods(false))).empty?
          end

          def own_ancestors(klass)
            ancestors = klass.ancestors
            ancestors.first(ancestors.index(::Object) || ancestors.size)
          end

          def plain_application?(application)
            return true if application.instance_of?(::Rake::Application) && application.singleton_methods.empty?
            return false unless application.is_a?(::Rake::Application)

            @application_owners.all? { |name, owner| application.method(name).owner.equal?(owner) }
          end

          def watched
            [::Rake::Task, ::Rake::FileTask, ::Rake::FileCreationTask, ::Rake::MultiTask,
             ::Rake::TaskManager, ::Rake::Application]
          end

          # What the walk and the definitions know of: the names of each class's methods.
          def watch
            @names = {}
            names = {}.compare_by_identity
            @watched.each { |klass| [klass, klass.singleton_class].each { |one| names[one] = HOOKS } }
            names[::Rake.singleton_class] = RAKE_HOOKS[:Rake]
            names[::Rake::TaskManager.singleton_class] += RAKE_HOOKS[:TaskManager]
            helpers.each { |klass| names[klass] = names[klass.singleton_class] = HELPERS.values.flatten }
            (names.keys + [::Rake]).each { |klass| klass.extend(Watch) }
            @mixed = {}.compare_by_identity
            names.each_key { |klass| @mixed[klass] = own_ancestors(klass) }
            @names = names
          end

          def helpers
            [::Rake::LinkedList, ::Rake::Scope, ::Rake::InvocationChain, ::Rake::TaskArguments,
             ::Rake::Scope::EmptyScope, ::Rake::LinkedList::EmptyLinkedList, ::Rake::InvocationChain::EmptyInvocationChain]
          end

          def helper_hooks
            HELPERS.flat_map { |name, methods| methods.map { |method| [::Rake.const_get(name), method] } }
          end

          def rake_hooks
            RAKE_HOOKS.flat_map do |name, methods|
              owner = name == :Rake ? ::Rake : ::Rake.const_get(name)
              methods.map { |method| [owner, method] }
            end
          end

          # Inherited ones are seen at the class that has them.
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

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
        RAKES_OWN = %w[Rake::Task Rake::FileTask Rake::TaskManager Rake::Application].freeze
        HOOKS = (TASK_HOOKS + FILE_HOOKS + APPLICATION_HOOKS + CLASS_HOOKS).uniq.freeze

        # Tells Trust at once of what changes Rake's classes.
        module Watch
          def prepend(*modules)
            super.tap { Trust.mixed_in(self) }
          end

          def include(*modules)
            super.tap { Trust.mixed_in(self) }
          end

          private

          def method_added(name)
            Trust.defined(self, name)
            super
          end

          def singleton_method_added(name)
            Trust.defined(self, name)
            super
          end
        end

        class << self
          # @return [String, nil] what was changed before frugal came
          def stranger_reason
            folder = Guard.folder(::Rake::Task, :invoke)
            changed = hooks.find { |owner, name| !upstream?(owner, name, folder) }
            return "#{changed.join("#")} was redefined" if changed

            probe = FILE_PROBES.find { |name| !Guard.core?(::File.singleton_class, name) }
            "File.#{probe} was redefined" if probe
          end

          # From now on, changes count.
          def begin(plan_class)
            @plan_class = plan_class
            @file = ::File
            @probes = FILE_PROBES.map { |name| ::File.method(name) }
            @watched = watched
            @ancestors = @watched.map { |klass| own_ancestors(klass) }
            @application_owners = APPLICATION_HOOKS.to_h { |name| [name, ::Rake::Application.instance_method(name).owner] }
            @lost = false
            [::Rake::Task, ::Rake::TaskManager, ::Rake::Application, ::Rake, ::Rake.singleton_class].each { |klass| klass.extend(Watch) }
          end

          # A method of a watched class was defined.
          def defined(klass, name)
            @plan_class.ask_application if klass.equal?(::Rake) && name == :application
            return unless @watched.include?(klass)

            lose if HOOKS.include?(name)
          end

          # A module came into a watched class, in front of its methods or behind.
          def mixed_in(klass)
            @plan_class.ask_application if klass.equal?(::Rake.singleton_class)
            return unless @watched.include?(klass)

            lose unless same_ancestors?
          end

          # Cost: no system call, no exception; a few microseconds.
          def intact?(application)
            return false if @lost

            lose unless same_probes? && same_ancestors?
            !@lost && plain_application?(application)
          end

          private

          def lose
            @lost = true
            @plan_class.trusted = false
          end

          def same_probes?
            ::File.equal?(@file) && @probes.all? { |method| ::File.method(method.name) == method }
          end

          # Modules that define none of the hooks may come in. What is mixed into
          # Object, as scripts do with Rake::DSL, stands behind Rake's own methods.
          def same_ancestors?
            @watched.each_with_index.all? do |klass, i|
              ancestors = own_ancestors(klass)
              ancestors == @ancestors[i] || (ancestors - @ancestors[i]).none? { |stranger| hooks_in?(stranger) }
            end
          end

          def hooks_in?(stranger)
            !(HOOKS & (stranger.instance_methods(false) + stranger.private_instance_methods(false))).empty?
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

          # Inherited ones are seen at the class that has them.
          def hooks
            task = (TASK_HOOKS - %i[== eql? hash out_of_date?]).map { |name| [::Rake::Task, name] }
            file = FILE_HOOKS.map { |name| [::Rake::FileTask, name] }
            task + file + APPLICATION_HOOKS.map { |name| [::Rake::Application, name] }
          end

          def upstream?(klass, name, folder)
            owner = klass.instance_method(name).owner
            RAKES_OWN.include?(owner.name) && Guard.pristine?(owner, name, folder)
          end
        end
      end
    end
  end
end

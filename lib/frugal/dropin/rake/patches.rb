# frozen_string_literal: true

module Frugal
  module Dropin
    module Rake
      # The methods that replace Rake's. Each original is kept under its name with the
      # prefix +frugal_stock_+. User code that redefines a method afterwards replaces
      # ours, as it would have replaced Rake's.
      module Patches
        ENGINE = Native.engine

        # The methods for Rake::Task.
        module Task
          # Reads @application as Rake does: a program may override the reader, and
          # would see one more call of it.
          def invoke_with_call_chain(task_args, invocation_chain)
            begin
              invocation = Invocation.of(self, @application, task_args, invocation_chain)
              return invocation.run if invocation
            rescue OwnFailure # here, because tasks run in this frame, and Rake may start again only if none has
              raise if invocation&.visible?
            end
            frugal_stock_invoke_with_call_chain(task_args, invocation_chain)
          end
          protected :invoke_with_call_chain
        end

        # The methods for Rake::FileTask.
        module FileTask
          # *Cost*: one stat(2) for each distinct file among the direct and indirect prerequisites.
          def needed?
            verdict = or_stock(nil) { Rake.needed?(@application, self) }
            build_all = @application.options.build_all
            build_all && build_all != true ? frugal_stock_needed? : verdict || build_all
          end

          # *Cost*: one stat(2), no exception.
          def timestamp
            time = or_stock(nil) { Rake.mtime(@application, self) }
            time || ::Rake::LATE
          end

          private

          def out_of_date?(stamp) = or_stock(nil) { Rake.out_of_date?(@application, self, stamp) }
        end

        # The methods for Rake::TaskManager.
        module TaskManager
          def define_task(task_class, *args, &block) = or_stock { Rake.define(self, task_class, args, &block) }

          def synthesize_file_task(task_name)
            exist = or_stock(nil) { frugal_exist_by_plan(task_name) }
            define_task(::Rake::FileTask, task_name) if exist
          end

          private

          # Does what Rake's method does, but asks the kernel about each source only once.
          def attempt_rule(task_name, task_pattern, args, extensions, block, level)
            unless frugal_plan&.live
              return frugal_stock_attempt_rule(task_name, task_pattern, args, extensions, block, level)
            end

            sources = make_sources(task_name, task_pattern, extensions)
            frugal_invalidate if extensions.any? { |extension| extension.respond_to?(:call) }
            found = sources.map { |source| frugal_attempt_source(task_name, source, level) || (return nil) }
            task = ::Rake::FileTask.define_task(task_name, { args => found }, &block)
            task.sources = found
            task
          end

          # @return [String, nil] the source of a rule, if the source exists or another rule makes it
          def frugal_attempt_source(task_name, source, level)
            trace_rule level, "Attempting Rule #{task_name} => #{source}"
            if frugal_exist?(source) || ::Rake::Task.task_defined?(source)
              trace_rule level, "(#{task_name} => #{source} ... EXIST)"
              source
            elsif (parent = enhance_with_matching_rule(source, level + 1))
              trace_rule level, "(#{task_name} => #{source} ... ENHANCE)"
              parent.name
            else
              trace_rule level, "(#{task_name} => #{source} ... FAIL)"
              nil
            end
          end

          # @return [String, nil] the line that called Rake's DSL to define the task
          def find_location
            lines = caller
            lines = OwnFailure.or_else(lines) { Frames.without_frugal(lines) }
            dsl = lines.index { |line| line.include?("rake/dsl_definition.rb") }
            dsl && lines[dsl + 1]
          end

          def frugal_exist?(name)
            exist = frugal_exist_by_plan(name)
            exist.nil? ? File.exist?(name) : exist
          end

          # @return [Boolean, nil] nil if no answer may be kept, or the plan does not handle such a name
          #
          # *Cost*: one stat(2) for a name without a valid answer.
          def frugal_exist_by_plan(name)
            OwnFailure.or_else(nil) do
              plan = Rake.plan(self)
              plan.exist?(name) if plan&.live
            end
          end

          def frugal_invalidate
            frugal_plan&.invalidate
          end

          def frugal_plan = OwnFailure.or_else(nil) { Rake.plan(self) }
        end

        # The methods for Rake::InvocationChain. Rake's own are recursive, and a long chain would overflow the
        # stack.
        module InvocationChain
          def member?(invocation)
            return frugal_stock_member?(invocation) unless Patches.own_member?

            any? { |task| task == invocation }
          end

          def to_s
            ["TOP", *to_a.reverse].join(" => ")
          end
        end

        # The method for Rake::Backtrace, which removes the frames that are not the user's: Rake's, and frugal's
        # too.
        module Backtrace
          def collapse(backtrace)
            frugal_stock_collapse(OwnFailure.or_else(backtrace) { Frames.without_frugal(backtrace) })
          end
        end

        # Rake's modules, and the methods for each. Rake's constants are looked up once it is loaded.
        TARGETS = [
          [-> { ::Rake::Task }, Task], [-> { ::Rake::FileTask }, FileTask], [-> { ::Rake::TaskManager }, TaskManager],
          [-> { ::Rake::InvocationChain }, InvocationChain], [-> { ::Rake::Backtrace.singleton_class }, Backtrace],
          [-> { ::Rake::FileList }, FileList]
        ].freeze

        class << self
          # @param folder [String] Rake's own; a method from another folder is not replaced
          # @param plan_class [Class] the engine's
          def apply(folder, plan_class)
            @folder = folder
            Frames.rake_folder = folder
            LastWalk.prepare(folder, plan_class)
            FileList.prepare(folder)
            TARGETS.each { |target, ours| replace(target.call, ours) }
            FileList.installed
            @member = ::Rake::InvocationChain.instance_method(:member?)
            own = Pathmap::METHODS.all? { |name| stock?(::String, name) }
            Pathmap.install(ENGINE, pathmap: own, ext: stock?(::String, :ext))
            return unless stock?(::Rake::Task.singleton_class, :define_task)

            plan_class.adopt_definition(stock?(::Rake.singleton_class, :application))
          end

          # @return [Boolean] whether InvocationChain#member? is still ours: a program that overrides it expects a
          #   call for each task of the chain
          def own_member? = ::Rake::InvocationChain.instance_method(:member?) == @member

          # @return [String, nil] a method to replace that this Rake does not have
          def missing
            TARGETS.each do |target, ours|
              owner = target.call
              name = methods(ours).find { |one| !owner.method_defined?(one) && !owner.private_method_defined?(one) }
              return "#{owner}##{name}" if name
            end
            nil
          end

          private

          # The methods of a module, without our own helpers, whose names start with frugal_.
          def methods(ours)
            (ours.instance_methods(false) + ours.private_instance_methods(false)).grep_v(/\Afrugal_/)
          end

          def replace(target, methods)
            Replace.methods(target, methods) { |name| stock?(target, name) }
          end

          def stock?(target, name) = Guard.pristine?(target, name, @folder)
        end
      end
    end
  end
end

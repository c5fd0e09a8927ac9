# frozen_string_literal: true

module Frugal
  module Dropin
    module Rake
      # The methods that take the place of Rake's. Each original stays under its
      # name with +frugal_stock_+ in front; user code that redefines a method
      # afterwards replaces ours, as it would have replaced Rake's.
      module Patches
        ENGINE = Native.engine

        # In Rake::Task.
        module Task
          # The application as Rake holds it: the reader may be overridden, and
          # then counts its calls.
          def invoke_with_call_chain(arguments, chain)
            begin
              invocation = Invocation.of(self, @application, arguments, chain)
              return invocation.run if invocation
            rescue OwnFailure
              raise if invocation&.visible?
            end
            frugal_stock_invoke_with_call_chain(arguments, chain)
          end
          protected :invoke_with_call_chain
        end

        # In Rake::FileTask.
        module FileTask
          # Cost: one stat(2) for each distinct file of the closure.
          def needed?
            begin
              verdict = Rake.answer(@application) { |plan| plan.needed?(self) }
            rescue OwnFailure
              nil
            end
            return frugal_stock_needed? if verdict.nil?

            build_all = @application.options.build_all
            build_all && build_all != true ? frugal_stock_needed? : verdict || build_all
          end

          # Cost: one stat(2), no exception.
          def timestamp
            begin
              time = Rake.answer(@application) { |plan| plan.mtime(self) }
            rescue OwnFailure
              nil
            end
            time.nil? ? frugal_stock_timestamp : time || ::Rake::LATE
          end

          private

          def out_of_date?(stamp)
            begin
              verdict = Rake.answer(@application) { |plan| plan.out_of_date?(self, stamp) }
            rescue OwnFailure
              nil
            end
            verdict.nil? ? frugal_stock_out_of_date?(stamp) : verdict
          end
        end

        # In Rake::TaskManager.
        module TaskManager
          def define_task(task_class, *args, &block)
            begin
              task = Rake.define(self, task_class, args, &block)
            rescue OwnFailure
              nil # stock has the words for it
            end
            task || frugal_stock_define_task(task_class, *args, &block)
          end

          def synthesize_file_task(task_name)
            known = frugal_known(task_name)
            return frugal_stock_synthesize_file_task(task_name) if known.nil?

            define_task(::Rake::FileTask, task_name) if known
          end

          private

          # As Rake's, but a source that was asked for is not asked for again.
          def attempt_rule(task_name, task_pattern, args, extensions, block, level)
            unless frugal_plan&.live
              return frugal_stock_attempt_rule(task_name, task_pattern, args, extensions, block, level)
            end

            sources = make_sources(task_name, task_pattern, extensions)
            frugal_forget if extensions.any? { |extension| extension.respond_to?(:call) }
            found = sources.map do |source|
              trace_rule level, "Attempting Rule #{task_name} => #{source}"
              if frugal_exist?(source) || ::Rake::Task.task_defined?(source)
                trace_rule level, "(#{task_name} => #{source} ... EXIST)"
                source
              elsif (parent = enhance_with_matching_rule(source, level + 1))
                trace_rule level, "(#{task_name} => #{source} ... ENHANCE)"
                parent.name
              else
                trace_rule level, "(#{task_name} => #{source} ... FAIL)"
                return nil
              end
            end
            task = ::Rake::FileTask.define_task(task_name, { args => found }, &block)
            task.sources = found
            task
          end

          # Where the task was defined: the line below Rake's DSL.
          def find_location
            lines = begin
              Frames.without_ours(caller)
            rescue OwnFailure
              caller
            end
            dsl = lines.index { |line| line.include?("rake/dsl_definition.rb") }
            dsl && lines[dsl + 1]
          end

          def frugal_exist?(name)
            known = frugal_known(name)
            known.nil? ? File.exist?(name) : known
          end

          # nil where nothing may be kept, or the name is odd.
          # Cost: one stat(2) for a name that this generation has not asked for.
          def frugal_known(name)
            plan = frugal_plan
            plan.exist?(name) if plan&.live
          rescue OwnFailure
            nil
          end

          def frugal_forget
            frugal_plan&.forget
          end

          def frugal_plan
            Rake.plan(self)
          rescue OwnFailure
            nil
          end
        end

        # In Rake::InvocationChain, whose recursion would overflow on long chains.
        module InvocationChain
          def member?(invocation)
            return frugal_stock_member?(invocation) unless Patches.own_chain?

            any? { |task| task == invocation }
          end

          def to_s
            ["TOP", *to_a.reverse].join(" => ")
          end
        end

        # In Rake::Backtrace: our frames are as little the user's as Rake's are.
        module Backtrace
          def collapse(backtrace)
            lines = begin
              Frames.without_ours(backtrace)
            rescue OwnFailure
              backtrace
            end
            frugal_stock_collapse(lines)
          end
        end

        # Where ours go. Rake's constants are asked for when it is there.
        TARGETS = [
          [-> { ::Rake::Task }, Task], [-> { ::Rake::FileTask }, FileTask], [-> { ::Rake::TaskManager }, TaskManager],
          [-> { ::Rake::InvocationChain }, InvocationChain], [-> { ::Rake::Backtrace.singleton_class }, Backtrace],
          [-> { ::Rake::FileList }, FileList]
        ].freeze

        class << self
          # @param folder [String] Rake's; what was redefined elsewhere before
          #   stays as it is
          # @param plan_class [Class] the engine's
          def apply(folder, plan_class)
            @folder = folder
            Frames.begin(folder)
            FileList.begin(folder)
            TARGETS.each { |target, ours| replace(target.call, ours) }
            FileList.installed
            @member = ::Rake::InvocationChain.instance_method(:member?)
            own = Pathmap::METHODS.all? { |name| stock?(::String, name) }
            Pathmap.begin(ENGINE, pathmap: own, ext: stock?(::String, :ext))
            return unless stock?(::Rake::Task.singleton_class, :define_task)

            plan_class.adopt_definition(stock?(::Rake.singleton_class, :application))
          end

          # @return [Boolean] whether nobody counts how often Rake asks a chain for each of its tasks
          def own_chain? = ::Rake::InvocationChain.instance_method(:member?) == @member

          # @return [String, nil] a method of Rake's that is not there to be replaced
          def missing
            TARGETS.each do |target, ours|
              owner = target.call
              name = methods(ours).find { |one| !owner.method_defined?(one) && !owner.private_method_defined?(one) }
              return "#{owner}##{name}" if name
            end
            nil
          end

          private

          # Those with frugal_ in front are helpers of ours.
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

# frozen_string_literal: true

module Frugal
  module Dropin
    module Rake
      # One invocation of a task. It drives the native walk, and does what the walk
      # cannot do in Rake's order and with Rake's own methods.
      #
      # The walk advances until Ruby has to act, and returns a symbol that names the
      # action. Before user code runs, the walk is settled: locks and arguments are as
      # Rake's would be. After user code, no earlier answer about a file is valid.
      class Invocation
        # @return [Invocation, nil] nil if only Rake's own methods may be used
        def self.of(task, application, arguments, chain)
          return unless ::Rake::LinkedList === chain && ::Rake::TaskArguments === arguments

          plan = Rake.plan(application)
          return unless plan && plan.plain?(task) && supported?(application.options)

          walk = Rake.walk(plan, task, arguments, chain)
          walk.last = true if LastWalk.proven?(application, chain)
          plan.invalidate
          new(application, plan, walk)
        end

        # Whether no option makes Rake announce each task or run prerequisites in threads.
        def self.supported?(options)
          !(options.trace || options.dryrun || options.always_multitask)
        end

        def initialize(application, plan, walk)
          @application = application
          @plan = plan
          @walk = walk
          @forwarded = nil
          @visible = false
        end

        # Whether code of the program has run, or Rake has printed something.
        def visible? = @visible

        # Does what +Rake::Task#invoke_with_call_chain+ does.
        #
        # @return [Array, nil] what the stock method returns
        # @raise [OwnFailure] the tasks are then as before, unless something is {visible?}
        def run
          outer = Frames.walks
          Frames.walks = @walks = [@walk, *outer]
          # No method with a block here: Kernel#loop is a visible frame since Ruby 3.3.
          until (step = @walk.advance) == :done
            __send__(step)
          end
          @forwarded || @walk.result
        rescue Exception => e # rubocop:disable Lint/RescueException -- as Rake does
          raise error_to_raise(e)
        ensure
          # throw and Thread#kill end tasks without an exception. Their locks are released here.
          @walk.finish(nil) while @walk.depth.positive?
          Frames.walks = outer
        end

        private

        # A prerequisite that needs a rule, a synthesized task, or Rake's own error message.
        def lookup
          @walk.settle
          task = @walk.task
          name = @walk.name
          @walk.supply(with_live_plan { prerequisite(task, name) })
        end

        # Calls +Rake::Task#lookup_prerequisite+, which is private.
        def prerequisite(task, name) = task.__send__(:lookup_prerequisite, name)

        # A task that the walk may not invoke: a subclass, a singleton, a MultiTask.
        def foreign
          child = @walk.child
          @walk.settle
          nested = @walk.depth.positive?
          arguments = nested ? @walk.arguments.new_scope(child.arg_names) : @walk.root_arguments
          result = user_code { invoke(child, arguments, nested) }
          @forwarded = result unless nested
        end

        def invoke(child, arguments, nested)
          return child.__send__(:invoke_with_call_chain, arguments, @walk.chain) if nested

          child.__send__(:frugal_stock_invoke_with_call_chain, arguments, @walk.chain)
        end

        def circular
          @visible = true
          ::Rake::InvocationChain.append(@walk.child, @walk.chain)
        end

        def failed
          @visible = true
          raise @walk.task.instance_variable_get(:@invocation_exception)
        end

        def needed
          @walk.settle
          user_code { @walk.task.needed? } ? execute : @walk.finish(nil)
        end

        def execute
          @walk.settle
          task = @walk.task
          # Without actions, Rake only looks for a rule, which runs no user code.
          result = task.actions.empty? ? execute_rules(task) : user_code { task.execute(@walk.arguments) }
          @walk.finish(result)
        end

        def execute_rules(task)
          @visible = true
          with_live_plan { task.execute(@walk.arguments) }.tap do
            task.actions.empty? ? @plan.restructure : after_user_code
          end
        end

        def user_code
          @visible = true
          yield.tap { after_user_code }
        end

        def after_user_code
          @plan.invalidate
          supported = Rake.plan(@application) && Invocation.supported?(@application.options)
          @walk.distrust unless supported
        end

        # While the block runs, Rake's look-ups may use the plan's answers about files.
        def with_live_plan
          @plan.live = true
          yield
        ensure
          @plan.live = false
        end

        # @return [Exception] what {run} raises in place of an error
        def error_to_raise(error)
          OwnFailure.or_else(error) do
            !@visible && OwnFailure === error ? release_tasks(error) : fail_tasks(error)
          end
        end

        # Makes the tasks on the stack invocable again, so that Rake's own method can invoke them.
        def release_tasks(error)
          while @walk.depth.positive?
            task = @walk.task
            @walk.finish(nil)
            task.reenable
          end
          error
        end

        # Each task on the stack, from the top down, handles the error as Rake does.
        def fail_tasks(error)
          Frames.note(error)
          while @walk.depth.positive?
            begin
              @walk.task.__send__(:add_chain_to, error, @walk.chain)
              @walk.task.instance_variable_set(:@invocation_exception, error)
            rescue Exception => e # rubocop:disable Lint/RescueException -- as Rake does
              error = e
            end
            @walk.finish(nil)
          end
          error
        end
      end
    end
  end
end

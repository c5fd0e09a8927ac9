# frozen_string_literal: true

module Frugal
  module Dropin
    module Rake
      # One invocation of a task: drives the native walk and does what it cannot,
      # in Rake's order and with Rake's own methods.
      #
      # The walk goes on until Ruby has to act and says as a symbol what that is.
      # Before any user code runs the walk is settled (locks and arguments are as
      # Rake's would be); after it, nothing that was known of files counts.
      class Invocation
        # @return [Invocation, nil] nil where Rake's own way must be taken
        def self.of(task, application, arguments, chain)
          plan = Rake.plan(application)
          return unless plan && plan.plain?(task) && silent?(application.options)

          plan.forget
          new(application, plan, Rake.walk(plan, task, arguments, chain))
        end

        # Rake's own way announces each task, and hands prerequisites to threads.
        def self.silent?(options)
          !(options.trace || options.dryrun || options.always_multitask)
        end

        def initialize(application, plan, walk)
          @application = application
          @plan = plan
          @walk = walk
          @forwarded = nil
          @visible = false
        end

        # Whether code of the program's has run, or Rake has said something.
        def visible? = @visible

        # What +Rake::Task#invoke_with_call_chain+ does.
        #
        # @return [Array, nil] what the stock method returns
        # @raise [OwnFailure] tasks are as they were, unless something is {visible?}
        def run
          # No method with a block here: Kernel#loop is a visible frame since Ruby 3.3.
          until (wanted = @walk.advance) == :done
            __send__(wanted)
          end
          @forwarded || @walk.result
        rescue Exception => error # rubocop:disable Lint/RescueException -- as Rake does
          raise after(error)
        ensure
          # throw and Thread#kill end tasks without a word, but free their locks.
          @walk.finish(nil) while @walk.depth.positive?
        end

        private

        # A rule, a synthesised file, or Rake's own error message.
        def lookup
          @walk.settle
          task = @walk.task
          name = @walk.name
          @walk.supply(live { prerequisite(task, name) })
        end

        # What +Rake::Task#lookup_prerequisite+ does; it is private there.
        def prerequisite(task, name) = task.__send__(:lookup_prerequisite, name)

        # A subclass, a singleton, a MultiTask: its own method.
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
          # Without actions Rake only looks for a rule, and that is no user code.
          result = task.actions.empty? ? execute_rules(task) : user_code { task.execute(@walk.arguments) }
          @walk.finish(result)
        end

        def execute_rules(task)
          @visible = true
          live { task.execute(@walk.arguments) }.tap { task.actions.empty? ? @plan.restructure : after_user_code }
        end

        def user_code
          @visible = true
          yield.tap { after_user_code }
        end

        def after_user_code
          @plan.forget
          trusted = Rake.plan(@application) && Invocation.silent?(@application.options)
          @walk.distrust unless trusted
        end

        # Rake's look-ups may use what is known of files while this block runs.
        def live
          @plan.live = true
          yield
        ensure
          @plan.live = false
        end

        # @return [Exception] what is raised instead
        def after(error)
          !@visible && OwnFailure === error ? give_back(error) : unwind(error)
        rescue OwnFailure
          error
        end

        # The tasks on the stack are free again, for Rake's own way.
        def give_back(error)
          while @walk.depth.positive?
            task = @walk.task
            @walk.finish(nil)
            task.reenable
          end
          error
        end

        # Every task on the stack, from the top down, rescues in Rake's way.
        def unwind(error)
          while @walk.depth.positive?
            begin
              @walk.task.__send__(:add_chain_to, error, @walk.chain)
              @walk.task.instance_variable_set(:@invocation_exception, error)
            rescue Exception => error # rubocop:disable Lint/RescueException, Lint/ShadowedException -- as Rake does
              nil
            end
            @walk.finish(nil)
          end
          error
        end
      end
    end
  end
end

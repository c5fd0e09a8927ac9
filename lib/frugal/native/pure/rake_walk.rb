# frozen_string_literal: true

require_relative "rake_plan"

module Frugal
  module Native
    module Pure
      # The pure twin of ext/frugal/rake/rake_walk.c: one invocation of a task and its
      # prerequisites, in Rake's order, on a separate stack. {#advance} continues until Ruby
      # must act, and returns the action; see Dropin::Rake::Invocation.
      class RakeWalk
        # A task whose invocation has started: the names of its prerequisites at that time, the
        # tasks found for them so far, and the index of the prerequisite to invoke next.
        Frame = Struct.new(:task, :names, :prerequisites, :next, :arguments, :chain, :lock, :failed)

        attr_reader :child, :result, :root_arguments

        def initialize(plan, task, arguments, chain)
          @plan = plan
          @root = task
          @root_arguments = arguments
          @chain = chain
          @frames = []
          @on_stack = {}.compare_by_identity
          @started = @stock_only = false
        end

        # @return [Symbol] +:done+, +:lookup+, +:foreign+, +:circular+, +:failed+,
        #   +:needed+ or +:execute+
        def advance
          alone = Thread.list.size == 1
          @plan.invalidate unless alone
          loop do
            return :done if @started && @frames.empty?

            action = step(alone)
            @started = true
            return action if action
          end
        end

        # Takes the locks and creates the arguments that the tasks on the stack would have in stock Rake.
        def settle
          @frames.each_with_index do |frame, index|
            next if frame.lock

            task = frame.task
            frame.arguments = index.zero? ? @root_arguments : @frames[index - 1].arguments.new_scope(task.arg_names)
            lock = task.instance_variable_get(:@lock)
            lock.enter
            frame.lock = lock
          end
        end

        def task = top.task

        # The name that {#advance} could not look up.
        def name = top.names[top.prerequisites.size]

        # Adds a prerequisite that Rake found. A rule may have defined tasks, and in a namespace such a
        # task can take precedence over a task that was found before.
        def supply(task)
          @plan.restructure
          top.prerequisites << task
        end

        def arguments = top.arguments

        # The chain of invocations down to the task on top, as in stock Rake.
        def chain
          @frames.inject(@chain) { |chain, frame| frame.chain ||= chain.conj(frame.task) }
        end

        def finish(result)
          frame = @frames.pop
          task = frame.task
          @on_stack[task] -= 1
          @on_stack.delete(task) if @on_stack[task].zero?
          @result = result
          frame.lock&.exit
          nil
        end

        def depth = @frames.size

        # Makes Rake's own methods do everything from now on.
        def distrust
          @stock_only = true
        end

        private

        def top = @frames.last || raise("frugal: no task of the walk is in progress")

        def step(alone)
          return enter(@root, alone) if @frames.empty?

          frame = top
          return :failed if frame.failed
          return :lookup unless resolve(frame)
          return leave(frame.task) if frame.next == frame.prerequisites.size

          frame.next += 1
          enter(frame.prerequisites[frame.next - 1], alone)
        end

        # All prerequisites are found before the first is invoked, as in Rake.
        def resolve(frame)
          task = frame.task
          while frame.prerequisites.size < frame.names.size
            name = frame.names[frame.prerequisites.size]
            return false if @stock_only || !@plan.provable?(name)

            found = @plan.find(task.scope, name) || synthesize(name)
            return false if found.nil? || found.equal?(task)

            frame.prerequisites << found
          end
          true
        end

        # Defines the task of a source file, as Rake does when it first looks the name up.
        def synthesize(name)
          return if rules_match?(name) || !@plan.time(name).is_a?(Time)

          @plan.application.define_task(::Rake::FileTask, name)
        end

        def rules_match?(name)
          @plan.application.instance_variable_get(:@rules).any? do |pattern, *|
            pattern && (!pattern.instance_of?(Regexp) || pattern.match?(name))
          end
        end

        def enter(task, alone)
          @child = task
          # In Ruby code, other threads may run at any point. If there are any, Rake's own method is called, with its
          # locks.
          return :foreign if @stock_only || !alone || !@plan.plain?(task) || !@plan.names(task)
          return :circular if in_chain?(task)
          return :foreign if locked_elsewhere?(task)
          return entered_before(task) if task.already_invoked

          task.instance_variable_set(:@already_invoked, true)
          push(task, @plan.names(task))
          nil
        end

        def entered_before(task)
          @result = nil
          return unless task.instance_variable_get(:@invocation_exception)

          push(task, [])
          top.failed = true
          :failed
        end

        def leave(task)
          needed = @plan.needed?(task) unless @stock_only
          return :needed if needed.nil?
          return finish(nil) unless needed
          return :execute unless task.actions.is_a?(Array) && task.actions.empty? &&
                                 @plan.provable?(task.name) && !rules_match?(task.name)

          finish(task.actions)
        end

        def push(task, names)
          @frames << Frame.new(task, names, [], 0, nil, nil, nil, false)
          @on_stack[task] = @on_stack.fetch(task, 0) + 1
        end

        def in_chain?(task)
          @on_stack.key?(task) || @chain.any? { |other| other.equal?(task) }
        end

        # A fiber owns a Monitor, so another fiber of this thread may hold it.
        def locked_elsewhere?(task)
          lock = task.instance_variable_get(:@lock)
          lock.mon_locked? && !lock.mon_owned?
        end
      end
    end
  end
end

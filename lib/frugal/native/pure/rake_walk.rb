# frozen_string_literal: true

require_relative "rake_plan"

module Frugal
  module Native
    module Pure
      # The twin of ext/frugal/rake_walk.c: one invocation of a task and all
      # behind it, in Rake's order, on a stack of its own. {#advance} goes on until
      # Ruby has to act and says what; see Dropin::Rake::Invocation.
      class RakeWalk
        # A task under way: the names that Rake would look up, as they were on
        # entry, the tasks found so far, and the prerequisite to invoke next.
        Frame = Struct.new(:task, :names, :prerequisites, :next, :arguments, :chain, :lock, :failed)

        attr_reader :child, :result, :root_arguments

        def initialize(plan, task, arguments, chain)
          @plan = plan
          @root = task
          @root_arguments = arguments
          @chain = chain
          @frames = []
          @standing = {}.compare_by_identity
          @started = @distrusted = false
        end

        # @return [Symbol] +:done+, +:lookup+, +:foreign+, +:circular+, +:failed+,
        #   +:needed+ or +:execute+
        def advance
          alone = Thread.list.size == 1
          @plan.forget unless alone
          loop do
            return :done if @started && @frames.empty?

            wanted = step(alone)
            @started = true
            return wanted if wanted
          end
        end

        def settle
          @frames.each_with_index do |frame, index|
            next if frame.lock

            frame.arguments = index.zero? ? @root_arguments : @frames[index - 1].arguments.new_scope(frame.task.arg_names)
            lock = frame.task.instance_variable_get(:@lock)
            lock.enter
            frame.lock = lock
          end
        end

        def task = top.task

        # The name that was to be looked up.
        def name = top.names[top.prerequisites.size]

        # A rule may have made tasks; in a namespace such a one can come before
        # what other look-ups found.
        def supply(task)
          @plan.restructure
          top.prerequisites << task
        end

        def arguments = top.arguments

        # The chain of invocations down to the task on top, as Rake would hold it.
        def chain
          @frames.inject(@chain) { |chain, frame| frame.chain ||= chain.conj(frame.task) }
        end

        def finish(result)
          frame = @frames.pop
          outer = frame.task
          @standing[outer] -= 1
          @standing.delete(outer) if @standing[outer].zero?
          @result = result
          frame.lock&.exit
          nil
        end

        def depth = @frames.size

        # From here on every question goes to Rake's own methods.
        def distrust
          @distrusted = true
        end

        private

        def top = @frames.last || raise("frugal: the walk has no task under way")

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
            return false if @distrusted || !@plan.provable?(name)

            behind = @plan.find(task.scope, name) || synthesize(name)
            return false if behind.nil? || behind.equal?(task)

            frame.prerequisites << behind
          end
          true
        end

        # The task of a leaf file: Rake makes it when the name is first looked up.
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
          # Without C another thread may come in anywhere: then Rake's own locks.
          return :foreign if @distrusted || !alone || !@plan.plain?(task) || !@plan.names(task)
          return :circular if standing?(task)
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
          needed = @plan.needed?(task) unless @distrusted
          return :needed if needed.nil?
          return finish(nil) unless needed
          return :execute unless task.actions.is_a?(Array) && task.actions.empty? &&
                                 @plan.provable?(task.name) && !rules_match?(task.name)

          finish(task.actions)
        end

        def push(task, names)
          @frames << Frame.new(task, names, [], 0, nil, nil, nil, false)
          @standing[task] = @standing.fetch(task, 0) + 1
        end

        def standing?(task)
          @standing.key?(task) || @chain.any? { |other| other.equal?(task) }
        end

        # A Monitor is a fiber's: another one of this thread may be inside.
        def locked_elsewhere?(task)
          lock = task.instance_variable_get(:@lock)
          lock.mon_locked? && !lock.mon_owned?
        end
      end
    end
  end
end

# frozen_string_literal: true

module Frugal
  module Native
    module Pure
      # The pure twin of ext/frugal/rake/rake_closure.c: all direct and indirect
      # prerequisites of file tasks, as they are found from one scope. Valid until its plan is
      # invalidated.
      class RakeClosure
        # The times of some prerequisites: +latest+ is a Time or nil. The flags report whether
        # a file is missing, whether one of them is not a file task (its time is now), and
        # whether the kernel refused an answer about a file.
        Times = Struct.new(:latest, :missing, :now, :fault)

        def initialize(plan, scope)
          @plan = plan
          @scope = scope
          @proven = {}.compare_by_identity
          @times = {}.compare_by_identity
        end

        # Reports whether the behaviour of every prerequisite is known, and each is the task
        # that Rake would find by its name from this scope.
        def proven?(root)
          return @proven[root] == true if @proven.key?(root)

          stack = [open(root)]
          until stack.empty?
            return fail(stack) unless advance(stack)
          end
          true
        end

        # @return [Boolean, nil] nil if the answer cannot be proven
        def out_of_date?(task, stamp)
          return unless proven?(task)

          early = early_answer(task, stamp)
          return early unless early == false

          times = times(task)
          later?(times, stamp) unless times.fault
        end

        private

        # A task is open until all its prerequisites are proven. A circular dependency leads back to an open task.
        def open(task)
          @proven[task] = :open
          [task, @plan.names(task)]
        end

        # One step of the search, depth first.
        #
        # @return [Boolean] false if something cannot be proven
        def advance(stack)
          task, names = stack.last
          return false if names.nil?
          return prove(stack) if names.empty?

          found = prerequisite(task, names.shift)
          return false unless found && found_by_name?(found) && @proven.fetch(found, true) == true

          stack << open(found) unless @proven.key?(found)
          true
        end

        def prove(stack)
          task, = stack.pop
          @proven[task] = true
        end

        def fail(stack)
          stack.each { |task, _| @proven[task] = false }
          false
        end

        def prerequisite(task, name)
          return unless @plan.provable?(name)

          found = @plan.find(task.scope, name)
          found unless found.equal?(task)
        end

        def found_by_name?(task)
          @plan.kind(task) && @plan.provable?(task.name) && @plan.find(@scope, task.name).equal?(task)
        end

        # Rake stops at the first later time, so the first prerequisites are checked one by
        # one, up to and including the first that has prerequisites itself.
        #
        # @return [Boolean, nil] true if one of them is later; nil if the kernel refused an answer
        def early_answer(task, stamp)
          @plan.names(task).each do |name|
            found = prerequisite(task, name)
            own = own_times(found)
            return nil if own.fault
            return true if later?(own, stamp)
            break unless @plan.names(found).empty?
          end
          false
        end

        # Only for a proven task: every look-up succeeds, and no dependency is circular.
        def times(root)
          return @times[root] if @times.key?(root)

          stack = [visit(root)]
          collect(stack) until stack.empty?
          @times[root]
        end

        # One step of the search, depth first: adds the times of a prerequisite once they are known.
        def collect(stack)
          task, names, all = stack.last
          found = prerequisite(task, names.first) unless names.empty?
          return @times[stack.pop.first] = all unless found # also if another thread has redefined it since the proof
          return stack << visit(found) unless @times.key?(found)

          names.shift
          add(all, own_times(found))
          add(all, @times[found])
        end

        def visit(task) = [task, @plan.names(task), Times.new]

        def add(all, times)
          all.latest = times.latest if times.latest && (all.latest.nil? || times.latest > all.latest)
          all.missing ||= times.missing
          all.now ||= times.now
          all.fault ||= times.fault
        end

        # The times of a task itself, without its prerequisites.
        def own_times(task)
          case @plan.kind(task)
          when :creation then Times.new
          when :file
            time = @plan.time(task.name)
            latest = time if time.is_a?(Time)
            Times.new(latest, time.equal?(RakePlan::MISSING), false, time.equal?(RakePlan::FAULT))
          else Times.new(nil, false, true, false)
          end
        end

        def later?(times, stamp)
          return true if times.missing || (times.latest && @plan.newer?(times.latest, stamp))

          !!(times.now && @plan.newer?(Time.now, stamp))
        end
      end
    end
  end
end

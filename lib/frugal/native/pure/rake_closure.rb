# frozen_string_literal: true

module Frugal
  module Native
    module Pure
      # The twin of ext/frugal/rake_closure.c: all that stands behind a file
      # task, seen from one scope. Good for one generation of its plan.
      class RakeClosure
        # The times behind a task: +latest+ is a Time or nil; the flags say that a
        # file is missing, that a plain task (whose time is now) is among them,
        # and that a file cannot be asked.
        Times = Struct.new(:latest, :missing, :plain, :fault)

        def initialize(plan, scope)
          @plan = plan
          @scope = scope
          @proven = {}.compare_by_identity
          @times = {}.compare_by_identity
        end

        # Is every task behind one whose behaviour we know, and is it the one that
        # Rake would find by its name from this scope?
        def proven?(root)
          return @proven[root] == true if @proven.key?(root)

          stack = [open(root)]
          until stack.empty?
            task, names = stack.last
            if names.nil?
              return fail(stack)
            elsif names.empty?
              @proven[task] = true
              stack.pop
            else
              behind = prerequisite(task, names.shift)
              return fail(stack) unless behind && known?(behind) && @proven.fetch(behind, true) == true

              stack << open(behind) unless @proven.key?(behind)
            end
          end
          true
        end

        # nil where it cannot be proven.
        def out_of_date?(task, stamp)
          return unless proven?(task)

          front = front(task, stamp)
          return front unless front == false

          times = times(task)
          later?(times, stamp) unless times.fault
        end

        private

        # Unsaid until all behind it is: a circle finds itself here.
        def open(task)
          @proven[task] = :open
          [task, @plan.names(task)]
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

        def known?(task)
          @plan.kind(task) && @plan.provable?(task.name) && @plan.find(@scope, task.name).equal?(task)
        end

        # Rake stops at the first later time: the prerequisites in front, as far
        # as nothing stands behind them, are asked by themselves.
        def front(task, stamp)
          @plan.names(task).each do |name|
            behind = prerequisite(task, name)
            own = own(behind)
            return nil if own.fault
            return true if later?(own, stamp)
            break unless @plan.names(behind).empty?
          end
          false
        end

        # Only over a proven structure: every look-up succeeds, nothing circles.
        def times(root)
          return @times[root] if @times.key?(root)

          stack = [visit(root)]
          until stack.empty?
            task, names, all = stack.last
            behind = names.empty? ? nil : prerequisite(task, names.first)
            if behind.nil?
              @times[task] = all
              stack.pop
            elsif !@times.key?(behind)
              stack << visit(behind)
            else
              names.shift
              add(all, own(behind))
              add(all, @times[behind])
            end
          end
          @times[root]
        end

        def visit(task) = [task, @plan.names(task), Times.new]

        def add(all, times)
          all.latest = times.latest if times.latest && (all.latest.nil? || times.latest > all.latest)
          all.missing ||= times.missing
          all.plain ||= times.plain
          all.fault ||= times.fault
        end

        def own(task)
          case @plan.kind(task)
          when :creation then Times.new
          when :file
            time = @plan.time(task.name)
            Times.new(time.is_a?(Time) ? time : nil, time.equal?(RakePlan::MISSING), false, time.equal?(RakePlan::FAULT))
          else Times.new(nil, false, true, false)
          end
        end

        def later?(times, stamp)
          return true if times.missing || (times.latest && @plan.newer?(times.latest, stamp))

          !!(times.plain && @plan.newer?(Time.now, stamp))
        end
      end
    end
  end
end

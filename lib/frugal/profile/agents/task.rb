# frozen_string_literal: true

# The agent of `frugal profile` if no other agent is chosen (see base.rb). As soon as Rake is loaded, it reports to the
# recorder the task that a thread executes, and the declarations of the task.
module Frugal
  module Profile
    # Writes texts into the log: a letter, the number of a task, and the values for the letter. {Tasks::Declarations}
    # reads them.
    #
    #   t 12 f 2 out/a.html  a task: f (of a file), d (of a directory) or t, how many actions it has, its name
    #   d 12 3 7             prerequisites: the numbers of their tasks
    #   p 12 a.txt           a prerequisite without a task, or a source
    #   l 12 7 /app/Rakefile the line of its first action
    #   b 12 3               its actions begin, inside of an action of task 3; 0: of none
    #   e 12                 they have ended, without an exception
    #   r 0 /app/Rakefile    the Rakefile
    #
    # A call of the file system has the group "rake 4711 12 out/a.html", with the pid of the process that numbered the
    # tasks; calls of the processes that the action starts have the same group. The hook is a TracePoint of one method:
    # it adds no frame to a backtrace, and does not change the method. From the program's objects, it reads little more
    # than instance variables.
    class TaskAgent
      GROUP_BYTES = 200 # the longest name in a group
      SLICE = 1000 # prerequisites in one text; a text has at most 16 KiB
      # One execution: a task, its number, the process, the execution around it, and the number of changes when it
      # began.
      Execution = Struct.new(:task, :number, :pid, :outer, :changes)
      private_constant :GROUP_BYTES, :SLICE, :Execution

      def initialize
        @recorder = Agent.recorder
        @executions = {}.compare_by_identity # Thread => Array<Execution>
        @one_by_one = Mutex.new
        @variable = Object.instance_method(:instance_variable_get)
        @kind = Module.instance_method(:===)
        @defined = Module.instance_method(:method_defined?)
      end

      # @return [Boolean] whether Rake::Task#execute is defined
      def install
        task = Agent.loaded(:Rake, :Task)
        return false unless task && @defined.bind_call(task, :execute)

        method = task.instance_method(:execute)
        method = method.super_method while method.owner != task && method.super_method
        TracePoint.new(:call, :return) { |event| on(event) }.enable(target: method)
        true
      rescue StandardError
        true # another Rake, or `execute` is written in C: the recorder gets no tasks
      end

      private

      # An asynchronous exception, such as that of Timeout, waits until the hook has ended. The Mutex lets one thread in
      # at a time: with `rake -m`, two tasks that begin together would get the same number.
      def on(event)
        Thread.handle_interrupt(Object => :never) do
          @one_by_one.synchronize { event.event == :call ? start(event.self) : finish(event.self, event.return_value) }
        rescue StandardError
          nil # an object that is not Rake's, or that has changed in Rake; or a signal handler executes a task
        end
      end

      def start(task)
        return if of(of(task, :@application), :@options).dryrun

        begin_process unless @pid == Process.pid
        executions = @executions[Thread.current] ||= []
        executions << Execution.new(task, number(task), @pid, executions.last, @recorder.changes)
        group(executions.last)
        describe_execution(executions.last)
      end

      # Also describes prerequisites that the action has added. `execute` returns nil if an exception ends it.
      def finish(task, result)
        executions = @executions[Thread.current] or return
        index = executions.rindex { |execution| execution.task.equal?(task) } or return
        execution = executions.slice!(index..).first
        @executions.delete(Thread.current) if executions.empty?
        group(execution.outer)
        return unless execution.pid == Process.pid

        describe_later(execution) if of(task, :@actions).any?
        declare("e", execution.number, "") if result
      end

      # Starts without known tasks: a fork has its own log, without the descriptions that its parent wrote.
      def begin_process
        @pid = Process.pid
        @numbers = {}.compare_by_identity   # Task => Integer
        @described = {}.compare_by_identity # Task => names of its prerequisites
        @later = []
        @written = false
      end

      def group(execution)
        same = execution && execution.pid == Process.pid
        @recorder.group(same ? "rake #{@pid} #{execution.number} ".b << text(name(execution.task))[0, GROUP_BYTES] : "")
      end

      def number(task)
        @numbers[task] ||= (@numbers.size + 1).tap do |number|
          declare("r", 0, of(of(task, :@application), :@rakefile)) if number == 1
          declare("t", number, "#{kind(task)} #{of(task, :@actions).size} ".b << text(name(task)))
        end
      end

      def kind(task)
        return "t" unless a?(:FileTask, task)

        a?(:FileCreationTask, task) ? "d" : "f"
      end

      def a?(name, object) = @kind.bind_call(Agent.loaded(:Rake, name), object)

      def describe_execution(execution)
        task = execution.task
        actions = of(task, :@actions)
        action = actions.find { |one| @kind.bind_call(Proc, one) }
        file, line = action&.source_location
        declare("l", execution.number, "#{line} ".b << text(file)) if file
        declare("b", execution.number, execution.outer&.pid == @pid ? execution.outer.number : 0)
        describe_later(execution) if actions.any?
      end

      # The prerequisites of a plain task matter only if a task has written something. To always describe all tasks
      # would cost more than a build that has nothing to do.
      def describe_later(execution)
        @later << execution.task
        @written ||= a?(:FileTask, execution.task) || @recorder.changes != execution.changes
        describe(@later.shift) until !@written || @later.empty?
      end

      # Describes the task and all tasks on which it depends, unless they are already described.
      def describe(task)
        tasks = [task]
        while (task = tasks.pop)
          names = of(task, :@prerequisites) + (of(task, :@order_only_prerequisites) || [])
          next if @described[task] == names

          @described[task] = names
          found = names.to_h { |name| [name, look_up(task, name)] }
          declare_prerequisites(task, found.values.compact, found.reject { |_, one| one }.keys)
          tasks.concat(found.values.compact.reject { |one| @described.key?(one) })
        end
      end

      def declare_prerequisites(task, found, names)
        found.map { |one| number(one) }.each_slice(SLICE) { |numbers| declare("d", number(task), numbers.join(" ")) }
        [*names, *of(task, :@sources)].each { |name| declare("p", number(task), name) }
      end

      # Finds the task as Rake::Task#lookup_prerequisite does, but creates no task.
      def look_up(task, name)
        application = of(task, :@application)
        scope = of(task, :@scope)
        found = of(application, :@tasks)[name] if scope.nil? || scope.empty?
        return found if found && !found.equal?(task)

        lookup = (@lookup ||= Agent.loaded(:Rake, :TaskManager).instance_method(:lookup)).bind(application)
        found = lookup.call(name, scope)
        (lookup.call(name) if found.equal?(task)) || found
      end

      def name(task) = of(task, :@name)

      def of(object, variable) = @variable.bind_call(object, variable)

      def declare(letter, number, words)
        @recorder.declare("#{letter} #{number} ".b << text(words))
      end

      def text(words) = words.to_s.b.delete("\0")
    end
  end
end

agent = Frugal::Profile::TaskAgent.new
Frugal::Profile::Agent.wait { agent.install }

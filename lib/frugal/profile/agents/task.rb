# frozen_string_literal: true

# The agent of `frugal profile` without another one (see base.rb). As soon as Rake is loaded, it tells the recorder
# which task a thread executes, and what the task declares.
module Frugal
  module Profile
    # Writes texts into the log: a letter, the number of a task, and what the letter means. {Tasks::Declarations} reads
    # them.
    #
    #   t 12 f 2 out/a.html  a task: f (of a file), d (of a directory) or t, how many actions it has, its name
    #   d 12 3 7             prerequisites: the numbers of their tasks
    #   p 12 a.txt           a prerequisite without a task, or a source
    #   l 12 7 /app/Rakefile the line of its first action
    #   b 12 3               its actions begin, inside of an action of task 3; 0: of none
    #   e 12                 they have ended, without an exception
    #   r 0 /app/Rakefile    the Rakefile
    #
    # A call of the file system has the group "rake 4711 12 out/a.html", with the process that has the numbers; so have
    # the calls of the processes that the action starts. The hook is a TracePoint of one method: it leaves no
    # frame in a backtrace, and the method stays what it is. Of the program's objects, little more than instance
    # variables is read.
    class TaskAgent
      GROUP_BYTES = 200 # of a name in a group
      SLICE = 1000 # prerequisites in one text; a text has at most 16 KiB
      # One execution: a task, its number, the process, the execution around it, and the changes when it began.
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

      # @return [Boolean] whether Rake::Task#execute is there
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

      # An exception for the thread, as of Timeout, waits until the hook is through. One thread after the other: with
      # `rake -m`, two that begin together would have one number.
      def on(event)
        Thread.handle_interrupt(Object => :never) do
          @one_by_one.synchronize { event.event == :call ? start(event.self) : finish(event.self, event.return_value) }
        rescue StandardError
          nil # an object that Rake did not make, or not as it is known; or a signal handler executes a task
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

      # Prerequisites that the action has added are asked for now. `execute` returns nil if an exception ends it.
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

      # What is known of the tasks is in the log of this process; a fork has another one.
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

      # What a plain task depends on matters only if a task has written something: to describe all tasks would cost
      # more than a build in which nothing is to be done.
      def describe_later(execution)
        @later << execution.task
        @written ||= a?(:FileTask, execution.task) || @recorder.changes != execution.changes
        describe(@later.shift) until !@written || @later.empty?
      end

      # The task and all on which it depends, as far as they are not described yet.
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

      # As Rake::Task#lookup_prerequisite does it, but no task is made.
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

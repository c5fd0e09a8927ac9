# frozen_string_literal: true

require_relative "rake_closure"

module Frugal
  module Native
    module Pure
      # The pure twin of ext/frugal/rake/rake_plan.c: the kernel's answers about the files of
      # one Rake application, each valid until user code runs.
      #
      # A method returns nil if it cannot prove the answer. Then the caller uses Rake's own method.
      class RakePlan
        # The results of {#time} that are not a Time.
        MISSING = :missing
        FAULT = :fault
        MAX_PLANS = 64

        class << self
          attr_reader :faults_raise

          # The plan of an application. It is not an instance variable of the application, because the program could
          # observe that. Only the plans of the newest applications are kept.
          def of(application)
            @plans ||= {}.compare_by_identity
            @plans.shift if @plans.size >= MAX_PLANS && !@plans.key?(application)
            @plans[application] ||= new(application)
          end

          # @param faults_raise [Boolean] whether only ENOENT means that a file is missing (Rake >= 13.1)
          def adopt(faults_raise)
            @faults_raise = faults_raise
          end

          # In the pure engine Rake handles all definitions, so this method and the next ones do nothing.
          def adopt_definition(_application_held) = nil

          def ask_application = nil

          def trusted=(flag)
            flag
          end

          # @return [nil] so Rake handles the definition
          def define(_application, _task_class, _arguments) = nil
        end

        attr_accessor :build_all, :live
        attr_reader :application

        def initialize(application)
          @application = application
          @build_all = @live = false
          @kinds = { ::Rake::Task => :task, ::Rake::MultiTask => :multi,
                     ::Rake::FileTask => :file, ::Rake::FileCreationTask => :creation }.compare_by_identity
          invalidate
        end

        # Invalidates all answers about files and tasks, since user code ran or may have run.
        def invalidate
          @times = {}
          restructure
        end

        # Invalidates all answers about tasks, since Ruby code changed some tasks, but not the answers about files.
        def restructure
          @closures = {}
        end

        # *Cost*: at most one stat(2).
        def exist?(name)
          return unless Thread.list.size == 1 && provable?(name)

          time(name).is_a?(Time)
        end

        # Reports whether a walk may invoke the task itself.
        def plain?(task) = %i[task file creation].include?(kind(task))

        # @return [Time, false, nil] false for a missing file
        def mtime(task)
          return unless kind(task) == :file && provable?(task.name)

          time = time(task.name)
          time.equal?(MISSING) ? false : (time unless time.equal?(FAULT))
        end

        def needed?(task)
          case kind(task)
          when :task, :multi then true
          when :creation then !time(task.name).is_a?(Time) if provable?(task.name)
          when :file then file_needed?(task) if provable?(task.name)
          end
        end

        def out_of_date?(task, stamp)
          return unless stamp.instance_of?(Time) && kind(task) == :file && !@build_all

          closure(task.scope).out_of_date?(task, stamp)
        end

        # A task with singleton methods (an override, an extension) does not count as one of
        # Rake's four classes. A frozen task cannot be invoked, and Rake raises its own error.
        #
        # @return [Symbol, nil] :task, :multi, :file or :creation
        def kind(task)
          kind = (@kinds[task.class] unless task.frozen?) or return
          return unless task.application.equal?(@application) && task.singleton_methods.empty?

          kind if stock_out_of_date?(task, kind)
        end

        # Rake matches names with /^rake:/ and /^\^/, and the name of a file cannot have a NUL byte.
        def provable?(name)
          name.instance_of?(String) && name.valid_encoding? &&
            (name.ascii_only? || name.encoding == Encoding::UTF_8) &&
            !name.start_with?("^", "rake:") && !name.match?(/[\n\0]/)
        end

        # @return [Array, nil] the names of the prerequisites, order-only ones last; nil if one of the two lists is not
        #   an Array
        def names(task)
          prerequisites = task.prerequisites
          order_only = task.order_only_prerequisites
          prerequisites + order_only if prerequisites.is_a?(Array) && order_only.is_a?(Array)
        end

        # Looks a task up as Rake does, from the innermost namespace outwards.
        def find(scope, name)
          tasks = @application.instance_variable_get(:@tasks)
          until scope.empty?
            task = tasks[scope.path_with_task_name(name)]
            return task if task

            scope = scope.tail
          end
          tasks[name]
        end

        # @return [Time, Symbol] the modification time, MISSING or FAULT
        #
        # *Cost*: one stat(2) for a name without a valid answer.
        def time(name)
          @times[name] ||= File.mtime(name)
        rescue Errno::ENOENT
          @times[name] = MISSING
        rescue SystemCallError
          @times[name] = self.class.faults_raise ? FAULT : MISSING
        end

        # Compares two times; the only place that does so. A file with the same time is not newer.
        def newer?(time, stamp) = time > stamp

        private

        def closure(scope)
          @closures[scope.path] ||= RakeClosure.new(self, scope)
        end

        def file_needed?(task)
          stamp = time(task.name)
          return (true if stamp.equal?(MISSING)) unless stamp.is_a?(Time)
          return (true if closure(task.scope).proven?(task)) if @build_all

          closure(task.scope).out_of_date?(task, stamp)
        end

        # Whether out_of_date?, which is private, is Rake's own.
        def stock_out_of_date?(task, kind)
          return true unless kind == :file

          task.method(:out_of_date?).owner.equal?(::Rake::FileTask)
        end
      end
    end
  end
end

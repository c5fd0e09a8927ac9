# frozen_string_literal: true

require_relative "rake_closure"

module Frugal
  module Native
    module Pure
      # The twin of ext/frugal/rake_plan.c: what is known of one Rake
      # application's files between two pieces of user code.
      #
      # Every answer that is not proven is nil, and the caller takes Rake's way.
      class RakePlan
        # What a file's own timestamp can be beside a Time.
        MISSING = :missing
        FAULT = :fault
        KEPT = 64

        class << self
          # The one plan of an application. It stands beside it, since an instance variable would be seen; of
          # the applications, all but the last few are forgotten.
          def of(application)
            @plans ||= {}.compare_by_identity
            @plans.shift if @plans.size >= KEPT && !@plans.key?(application)
            @plans[application] ||= new(application)
          end

          # @param faults_raise [Boolean] only ENOENT is a missing file (Rake >= 13.1)
          def adopt(faults_raise)
            @faults_raise = faults_raise
          end

          # A definition is Rake's here.
          def adopt_definition(_application_held) = nil

          def ask_application = nil

          attr_reader :faults_raise

          def trusted=(flag)
            flag
          end

          # @return [nil] a definition is Rake's
          def define(application, task_class, arguments) = nil
        end

        attr_accessor :build_all, :live
        attr_reader :application

        def initialize(application)
          @application = application
          @build_all = @live = false
          @kinds = { ::Rake::Task => :task, ::Rake::MultiTask => :multi,
                     ::Rake::FileTask => :file, ::Rake::FileCreationTask => :creation }.compare_by_identity
          forget
        end

        # User code ran, or may have: nothing that was asked before counts.
        def forget
          @times = {}
          restructure
        end

        # Ruby code changed tasks, though no file: they must be read again.
        def restructure
          @closures = {}
        end

        # Cost: at most one stat(2).
        def exist?(name)
          return unless Thread.list.size == 1 && provable?(name)

          time(name).is_a?(Time)
        end

        # Is it a task that a walk may invoke by itself?
        def plain?(task) = %i[task file creation].include?(kind(task))

        # @return [Time, false, nil] false for a missing file
        def mtime(task)
          return unless kind(task) == :file && provable?(task.name)

          known = time(task.name)
          known.equal?(MISSING) ? false : (known unless known.equal?(FAULT))
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

        # A singleton (an override, an extension) is none of Rake's four; a frozen
        # task cannot be invoked, and it is Rake that says so.
        def kind(task)
          kind = (@kinds[task.class] unless task.frozen?) or return
          return unless task.application.equal?(@application) && task.singleton_methods.empty?

          kind if private_hooks_kept?(task, kind)
        end

        # Rake matches names with /^rake:/ and /^\^/, and files refuse NUL.
        def provable?(name)
          name.instance_of?(String) && name.valid_encoding? &&
            (name.ascii_only? || name.encoding == Encoding::UTF_8) &&
            !name.start_with?("^", "rake:") && !name.match?(/[\n\0]/)
        end

        # @return [Array, nil] what a task comes after, order-only ones last; nil: not as Rake keeps it
        def names(task)
          prerequisites = task.prerequisites
          order_only = task.order_only_prerequisites
          prerequisites + order_only if prerequisites.is_a?(Array) && order_only.is_a?(Array)
        end

        # Rake's look-up, from the innermost namespace outwards.
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
        # Cost: one stat(2) for a name in a generation.
        def time(name)
          @times[name] ||= File.mtime(name)
        rescue Errno::ENOENT
          @times[name] = MISSING
        rescue SystemCallError
          @times[name] = self.class.faults_raise ? FAULT : MISSING
        end

        # The only comparison of times: a file that is as old is not newer.
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

        def private_hooks_kept?(task, kind)
          return true unless kind == :file

          task.method(:out_of_date?).owner.equal?(::Rake::FileTask)
        end
      end
    end
  end
end

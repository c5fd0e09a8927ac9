# frozen_string_literal: true

require_relative "../stack"

module Frugal
  module Profile
    module Tasks
      # A task of Rake in one process, as agents/task.rb described it.
      class Task
        # @return [ProcessRecord]
        attr_reader :process
        # @return [String] as in {Call#path}
        attr_reader :name
        # @return [String] absolute: the directory to which the name is relative
        attr_reader :directory
        # @return [Integer] how many actions it had when it was first seen
        attr_reader :actions
        # @return [Array<Task>] prerequisites, and tasks in whose actions it was executed
        attr_reader :prerequisites, :outer
        # @return [Array<String>] prerequisites without a task, and sources
        attr_reader :others
        # @return [Frame, nil] the line of its first action
        attr_accessor :place
        # @return [Boolean] whether it was executed; whether its actions have ended without an exception
        attr_accessor :executed, :ended

        # @param kind [String] `f` of a file, `d` of a directory, or `t`
        def initialize(process:, name:, directory:, kind:, actions:)
          @process = process
          @name = name
          @directory = directory
          @kind = kind
          @actions = actions
          @prerequisites = []
          @others = []
          @outer = []
        end

        # @return [Boolean] whether it is executed only if its file is missing, or older than a prerequisite
        def file? = @kind == "f"

        # @return [Boolean] whether its file is made by an action
        def product? = file? && actions.positive?

        # @return [String] the absolute path of its file, which may not exist
        def path = absolute(name)

        # @param name [String] of a file, as it is declared
        # @return [String] absolute
        def absolute(name) = name.start_with?("/") ? name.b : "#{directory}/".b << name.b

        # @return [Hash{Task => true}] by identity: the task and all tasks on which it depends
        def closure
          @closure ||= {}.compare_by_identity.tap do |found|
            tasks = [self]
            while (task = tasks.pop)
              next if found.key?(task)

              found[task] = true
              tasks.concat(task.prerequisites)
            end
          end
        end

        # @param other [Task]
        # @return [Boolean] whether the other task was executed by this task's action, directly or indirectly
        def runs?(other)
          tasks = other.outer.dup
          seen = {}.compare_by_identity
          while (task = tasks.pop)
            return true if task.equal?(self)
            next if seen.key?(task)

            seen[task] = true
            tasks.concat(task.outer)
          end
          false
        end
      end
    end
  end
end

# frozen_string_literal: true

require_relative "accesses"
require_relative "fix"
require_relative "project"
require_relative "workers"

module Frugal
  module Profile
    module Tasks
      # Compares the declarations of tasks with the files that they read and wrote.
      #
      # - A file task depends on each file that it reads. A plain task is always executed, so it depends only on files
      #   that another task writes.
      # - A file that a prerequisite wrote counts as declared, also if it is not the product of the prerequisite.
      # - A file that the task also wrote, or that a task executed by its action wrote, is its state or its product.
      class Comparison
        # @param recording [Recording]
        def initialize(recording)
          @workers = Workers.new(recording)
          declarations = @workers.declarations.values
          @project = Project.new(declarations.flat_map(&:directories))
          @accesses = Accesses.new(recording, @workers, @project)
          @tasks = declarations.flat_map { |one| one.tasks.values }
          @named = @tasks.group_by { |task| @project.resolved(task.path) }
          @others = {}.compare_by_identity
        end

        # @return [Array<Undeclared>]
        def undeclared
          tasks = @tasks.select(&:executed).sort_by.with_index do |task, index|
            [task.place&.file.to_s.b, task.place&.line.to_i, index]
          end
          tasks.flat_map { |task| reads(task) + writes(task) + [product(task)].compact }
        end

        private

        def reads(task)
          each(@accesses.reads, task).filter_map do |path, access|
            next if product?(task, path) || written?(task, path) || @accesses.code?(path)

            writer = writer(task, path)
            next unless task.file? ? writer || !declared?(task, path) : writer || product_of_other?(task, path)

            row(:read, task, path, access, writer)
          end
        end

        def writes(task)
          each(@accesses.writes, task).filter_map do |path, access|
            next if access.removed || access.log? || product?(task, path) || by_product?(task, path)

            writer = writer(task, path)
            row(:write, task, path, access, writer) if task.file? || writer
          end
        end

        # @return [Undeclared, nil] for a file task that does not create its file, and so is executed each time
        def product(task)
          path = @project.resolved(task.path)
          return unless task.file? && task.ended && @project.include?(path)
          return if @accesses.made?(path) || File.exist?(path)

          Undeclared.new(kind: :product, task: task, path: text(path), site: task.place, fix: Fix.of(:product, task))
        end

        # The files of the project that a task accessed, without directories.
        def each(accesses, task)
          return [] unless accesses.key?(task)

          accesses[task].select { |path,| @project.include?(path) && !File.directory?(path) }
        end

        # Reports whether the file is the task's own product, or in it.
        def product?(task, path)
          product = @project.resolved(task.path)
          task.file? && (path == product || (path.start_with?("#{product}/") && File.directory?(product)))
        end

        # Reports whether the task itself, or a task that its action executed, also wrote it.
        def written?(task, path) = @accesses.writers(path).any? { |other| other.equal?(task) || task.runs?(other) }

        # Reports whether the file belongs to a task that depends on this one.
        def by_product?(task, path) = named(task, path).any? { |other| other.closure.key?(task) }

        # Returns the tasks of the same process to which the file belongs.
        def named(task, path) = @named.fetch(path, []).select { |other| other.process.equal?(task.process) }

        def declared?(task, path)
          named(task, path).any? { |other| task.closure.key?(other) } || others(task).key?(path) ||
            @accesses.writers(path).any? { |other| task.closure.key?(other) } || in_product?(task, path)
        end

        # @return [Hash{String => true}] prerequisites without a task, and sources
        def others(task)
          @others[task] ||= task.closure.each_key.with_object({}) do |one, paths|
            one.others.each { |name| paths[@project.resolved(one.absolute(name))] = true }
          end
        end

        # Reports whether the file is in a directory that a prerequisite makes with all its files.
        def in_product?(task, path)
          folder = path
          while (folder = File.dirname(folder)).size > 1
            return true if named(task, folder).any? { |other| other.product? && task.closure.key?(other) }
          end
          false
        end

        # @return [Task, nil] another task that wrote the file in this run, if no declaration orders the two tasks
        def writer(task, path)
          @accesses.writers(path).find do |other|
            other.process.equal?(task.process) && !other.equal?(task) && !@accesses.writes[other][path].log? &&
              !@accesses.writes[other][path].removed && !ordered?(task, other)
          end
        end

        def ordered?(task, other)
          task.closure.key?(other) || other.closure.key?(task) || task.runs?(other) || other.runs?(task)
        end

        def product_of_other?(task, path)
          named(task, path).any? { |other| other.product? && !task.closure.key?(other) && !other.runs?(task) }
        end

        def row(kind, task, path, access, writer)
          call = access.call
          stacks = [call.stack, @workers.origin(call.process)]
          site = stacks.filter_map { |stack| in_project(stack) }.first || stacks.filter_map(&:site).last
          Undeclared.new(kind: kind, task: task, path: text(path), site: site, writer: writer,
                         fix: Fix.of(kind, task, @project.entry(text(path)), writer))
        end

        def in_project(stack)
          stack.frames.find { |frame| frame.source? && @project.include?(@project.resolved(frame.file)) }
        end

        def text(path) = Log::Definitions.text(path)
      end
    end
  end
end

# frozen_string_literal: true

require_relative "words"
require_relative "../tasks"

module Frugal
  module Profile
    module Report
      # The undeclared files of Rake tasks, as sentences: one for all tasks and files with the same two lines of Ruby.
      module UndeclaredWords
        TITLE = "undeclared dependencies in Rake: a build may leave files stale, and rake -m may run a task too early"

        # `rows` are {Tasks::Undeclared} of one kind, one definition and one line; `message` and `fix` are sentences.
        Group = Struct.new(:rows, :origins) do
          # @return [Tasks::Undeclared]
          def first = rows.first

          # @return [String] such as `task out/a.html (Rakefile:12) read layout.erb (render.rb:5), which is …`
          def message = "#{tasks} #{sentence}"

          # @return [String]
          def fix = Words.visible(prerequisites || (rows.size > 1 ? "#{first.fix}, and so on" : first.fix))

          # @return [String] the line that defines the task
          def place = first.task.place ? Words.place(first.task.place.file, first.task.place.line, origins) : ""

          private

          # @return [String, nil] nil if there is only one row, or if not all tasks lack the same files
          def prerequisites
            return if rows.size == 1 || first.kind != :read || first.writer || rows.size != paths.size * task_count

            names = self.names
            return Tasks::Fix.declaration(first.task, "[#{names.join(", ")}]") if task_count == 1

            "add #{names.join(", ")} to the prerequisites of these tasks#{" (#{place})" if first.task.place}"
          end

          def names
            names = paths.first(Group::NAMES).map { |path| Tasks::Fix.name(path, first.task) }
            paths.size > Group::NAMES ? [*names, "…"] : names
          end

          def paths = rows.map(&:path).uniq

          # Returns the number of tasks.
          def task_count = rows.map(&:task).uniq.size

          def tasks
            more = task_count - 1
            place = " (#{self.place})" if first.task.place
            others = " and #{Words.count(more, "more task")} of this line" if more.positive?
            "task #{Words.visible(first.task.name)}#{place}#{others}"
          end

          def sentence
            case first.kind
            when :product then "did not create #{task_count > 1 ? "their files" : "its file"}, and will run again"
            when :read then "read #{files}, #{read}"
            when :write then "wrote #{files}, #{written}"
            end
          end

          def files
            more = paths.size - 1
            site = first.site && " (#{Words.place(first.site.file, first.site.line, origins)})"
            "#{relative(first.path)}#{" and #{Words.count(more, "more file")}" if more.positive?}#{site}"
          end

          def read
            return "which task #{Words.visible(first.writer.name)} writes: that is not a prerequisite" if first.writer

            paths.one? ? "which is not a prerequisite" : "which are not prerequisites"
          end

          def written
            return "which task #{Words.visible(first.writer.name)} writes, too" if first.writer

            task_count > 1 ? "which they do not declare" : "which it does not declare"
          end

          def relative(path) = Words.visible(path.b.delete_prefix("#{origins.directory}/".b))
        end

        Group::NAMES = 5 # in one declaration

        # @param rows [Array<Tasks::Undeclared>]
        # @param origins [Origins] names of files in its directory are written relative to it
        # @return [Array<Group>] in the order of the first row of each
        def self.groups(rows, origins)
          groups = rows.group_by { |row| [row.kind, row.task.place || row.task, row.site, row.writer] }
          groups.values.map { |some| Group.new(some, origins) }
        end
      end
    end
  end
end

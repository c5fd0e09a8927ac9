# frozen_string_literal: true

require_relative "words"

module Frugal
  module Profile
    module Report
      # What tasks of Rake did not declare, as sentences: one for all tasks and files of the same two lines of Ruby.
      module UndeclaredWords
        TITLE = "undeclared dependencies in Rake: a build may leave them stale, and rake -m may come too early"

        # `rows` are {Tasks::Undeclared} of one kind, one definition and one line; `message` and `fix` are sentences.
        Group = Struct.new(:rows, :directory) do
          # @return [Tasks::Undeclared]
          def first = rows.first

          # @return [String] such as `task out/a.html (Rakefile:12) read layout.erb (render.rb:5), which is …`
          def message = Words.visible("#{tasks} #{sentence}")

          # @return [String]
          def fix = Words.visible("#{first.fix}#{", and so on" if rows.size > 1 && first.kind != :product}")

          # @return [String] where the task is defined
          def place = first.task.place ? Words.place(first.task.place.file, first.task.place.line, directory) : ""

          private

          def tasks
            more = rows.map(&:task).uniq.size - 1
            place = " (#{self.place})" if first.task.place
            others = " and #{Words.count(more, "more task")} of this line" if more.positive?
            "task #{first.task.name.b}#{place}#{others}"
          end

          def sentence
            case first.kind
            when :product then "did not create #{several? ? "their files" : "its file"}, and will be executed each time"
            when :read then "read #{files}, #{read}"
            when :write then "wrote #{files}, #{written}"
            end
          end

          def files
            more = rows.map(&:path).uniq.size - 1
            site = first.site && " (#{Words.place(first.site.file, first.site.line, directory)})"
            "#{relative(first.path)}#{" and #{Words.count(more, "more file")}" if more.positive?}#{site}"
          end

          def read
            return "which task #{first.writer.name.b} writes: that is not a prerequisite" if first.writer

            rows.map(&:path).uniq.one? ? "which is not a prerequisite" : "which are not prerequisites"
          end

          def written
            return "which task #{first.writer.name.b} writes, too" if first.writer

            several? ? "which they do not declare" : "which it does not declare"
          end

          def several? = rows.map(&:task).uniq.size > 1

          def relative(path) = path.b.delete_prefix("#{directory}/".b)
        end

        # @param rows [Array<Tasks::Undeclared>]
        # @param directory [String] names and places inside of it are relative to it
        # @return [Array<Group>] in the order of the first row of each
        def self.groups(rows, directory)
          groups = rows.group_by { |row| [row.kind, row.task.place || row.task, row.site, row.writer] }
          groups.values.map { |some| Group.new(some, directory) }
        end
      end
    end
  end
end

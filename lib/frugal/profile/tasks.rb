# frozen_string_literal: true

module Frugal
  module Profile
    # Compares the files that Rake tasks declare with the files that their actions read and wrote.
    module Tasks
      # One file that a task did not declare. A file task with an incomplete declaration may become stale; and with
      # `rake -m`, a task may read a file before another one has written it.
      #
      # kind:: Symbol: +:read+, +:write+, or +:product+: the file of the task itself, which its action did not create
      # task:: {Task}
      # path:: String, absolute; as in {Call}
      # site:: {Frame} or nil: the line that read or wrote the file; for a child process, the line that started the
      #   process
      # writer:: {Task} or nil: another task that wrote the file, and on which this one does not depend
      # fix:: String: a declaration, or what to do
      Undeclared = Struct.new(:kind, :task, :path, :site, :writer, :fix, keyword_init: true)

      # *Cost*: no system call if no task was executed; otherwise some for each file that a task opened or that is
      # declared, to resolve symbolic links, and about 1 µs for each call of the recording.
      #
      # @param recording [Recording]
      # @return [Array<Undeclared>] in the order of the lines that define the tasks
      def self.undeclared(recording)
        return [] if recording.declarations.empty?

        Comparison.new(recording).undeclared
      end
    end
  end
end

require_relative "tasks/comparison"

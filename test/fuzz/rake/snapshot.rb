# frozen_string_literal: true

module RakeFuzz
  # Everything that a program could see after the build, taken in the child. Methods that
  # the case overrides may be called here, too, but the journal does not record that.
  # All values can be marshalled, and refer to no task.
  module Snapshot
    class << self
      # @return [Hash] the outcome
      def of(application)
        error = status = nil
        begin
          yield
        rescue SystemExit => e
          status = e.status
          error = e.cause
        rescue Exception => e # rubocop:disable Lint/RescueException -- any exception is an outcome
          status = :raised
          error = e
        end
        journal = Fuzz.journal.dup
        { journal: journal, status: status, error: describe(error), current: Rake.application.equal?(application),
          tasks: tasks(application), order: order(application) }
      end

      private

      # The exception, its chain of tasks and its causes.
      def describe(error, depth = 0)
        return if error.nil? || depth > 5

        chain = error.respond_to?(:chain) ? error.chain.to_s : nil
        [error.class.name, error.message.to_s, chain, describe(error.cause, depth + 1)]
      rescue StandardError => e
        ["unreadable", e.class.name]
      end

      def order(application)
        application.instance_variable_get(:@tasks).keys
      end

      def tasks(application)
        application.tasks.map { |task| row(task) }
      rescue StandardError => e
        [e.class.name, e.message]
      end

      def row(task)
        failure = task.instance_variable_get(:@invocation_exception)
        [task.name, task.class.name, task.already_invoked, task.prerequisites.map(&:inspect),
          task.order_only_prerequisites.map(&:inspect), task.sources.map(&:inspect), task.actions.size,
          task.full_comment, task.arg_names, task.locations, task.scope.path,
          failure && [failure.class.name, failure.message]]
      rescue StandardError => e
        [e.class.name, e.message]
      end
    end
  end
end

# frozen_string_literal: true

module Frugal
  module Bench
    # The rows of results by subject. The class that includes it has them in `@rows`, a Hash of Arrays, in the order of
    # the runs; a subject has a `name`, that of its case, and a row a `subject` and a `label`.
    module SubjectRows
      # Removes a row that cannot be measured here.
      def remove(row) = @rows[row.subject].delete(row)

      # @return [Array<Object>] the subjects in the order of the runs
      def subjects = @rows.keys

      # @return [Array<Object>] the subjects of one case
      def of(name) = subjects.select { |subject| subject.name == name }

      # @return [Array<Object>]
      def rows(subject) = @rows.fetch(subject, [])

      # @return [Object, nil]
      def row(subject, label) = rows(subject).find { |row| row.label == label }
    end
  end
end

# frozen_string_literal: true

require_relative "../complaint"
require_relative "../paint"
require_relative "../../profile"

module Frugal
  module CLI
    module Profile
      # `frugal profile --diff`: compares two JSON reports.
      module Comparison
        class << self
          # @param before [String] the name of a file
          # @param after [String]
          # @param markdown [Boolean]
          # @return [Integer] exit status
          # @raise [UsageError] for a file that is not a report
          def run(before, after, markdown: false)
            diff = Frugal::Profile::Diff.of(read(before), read(after), names: [before, after])
            $stdout.write(markdown ? Frugal::Profile::Report::DifferenceMarkdown.of(diff) : text(diff))
            0
          end

          private

          def text(diff)
            Frugal::Profile::Report::Difference.of(diff, width: Paint.width) { |verdict| Paint.bold(verdict) }
          end

          def read(path)
            File.read(path, encoding: Encoding::UTF_8)
          rescue SystemCallError => e
            raise UsageError, "#{path}: #{Complaint.reason(e)}"
          end
        end
      end
    end
  end
end

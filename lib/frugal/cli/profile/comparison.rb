# frozen_string_literal: true

require_relative "../complaint"
require_relative "../paint"

module Frugal
  module CLI
    module Profile
      # `frugal profile --diff`: compares two JSON reports.
      module Comparison
        class << self
          # @param before [String] the name of a file
          # @param after [String]
          # @return [Integer] exit status
          # @raise [UsageError] for a file that is no report
          def run(before, after)
            reports = [before, after].map { |path| read(path) }
            require_relative "../../profile/diff"
            require_relative "../../profile/report/difference"
            diff = Frugal::Profile::Diff.of(*reports)
            text = Frugal::Profile::Report::Difference.of(diff, width: Paint.width) { |verdict| Paint.bold(verdict) }
            $stdout.write(text)
            0
          end

          private

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

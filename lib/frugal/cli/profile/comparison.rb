# frozen_string_literal: true

require "json"
require_relative "../complaint"

module Frugal
  module CLI
    module Profile
      # `frugal profile --diff`: compares two JSON reports.
      module Comparison
        VERSION = 1
        private_constant :VERSION

        class << self
          # @param before [String] the name of a file
          # @param after [String]
          # @return [Integer] exit status
          # @raise [UsageError] for a file that is no report
          def run(before, after)
            reports = [before, after].map { |path| read(path) }
            require_relative "../../profile/diff"
            $stdout.write(Frugal::Profile::Diff.of(*reports))
            0
          end

          private

          def read(path)
            report = ::JSON.parse(File.read(path, encoding: Encoding::UTF_8))
            version = report["version"] if report.is_a?(::Hash) && report.key?("findings")
            raise UsageError, "#{path}: is not a report of `frugal profile --json`" unless version
            return report if version == VERSION

            raise UsageError, "#{path}: has version #{version} of the format, and this frugal reads version #{VERSION}"
          rescue SystemCallError => e
            raise UsageError, "#{path}: #{Complaint.reason(e)}"
          rescue ::JSON::ParserError, EncodingError
            raise UsageError, "#{path}: is not JSON"
          end
        end
      end
    end
  end
end

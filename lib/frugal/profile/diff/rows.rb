# frozen_string_literal: true

module Frugal
  module Profile
    class Diff
      # The rows of a JSON report.
      module Rows
        class << self
          # Adds up the counts by file, line and name.
          #
          # @param rows [Array<Hash>]
          # @param name [Symbol] the method of this module that names a row
          # @return [Hash{Array(String, Integer, String) => Integer}]
          def totals(rows, name)
            rows.each_with_object(Hash.new(0)) do |row, totals|
              found = public_send(name, row)
              totals[[bytes(row, "file"), row["line"], found]] += row["count"] if found
            end
          end

          # @param report [Hash]
          # @return [Hash{String => Hash{Integer => Hash}}] file => line => how many calls and exceptions of each name
          def by_file(report)
            totals = totals(report.fetch("calls"), :call_name).merge(totals(report.fetch("exceptions"), :class_name))
            totals.each_with_object({}) do |((file, line, name), count), files|
              ((files[file] ||= {})[line] ||= {})[name] = count if file
            end
          end

          # @return [String] such as "stat" or "stat (ENOENT)"
          def call_name(row) = row["errno"] ? "#{row["call"]} (#{row["errno"]})" : row["call"]

          # @return [String]
          def class_name(row) = bytes(row, "class")

          # @return [Symbol, nil] nil for a freshness check, which is not waste
          def kind(row) = (row["kind"].to_sym unless row["kind"] == "freshness_check")

          # @param field [String] the name of a member, whose value may be in Base64
          # @return [String, nil]
          def bytes(row, field) = row.fetch(field) { row.fetch("#{field}_base64").unpack1("m0") }
        end
      end
    end
  end
end

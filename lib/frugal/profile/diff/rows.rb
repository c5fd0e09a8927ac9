# frozen_string_literal: true

module Frugal
  module Profile
    class Diff
      # The rows of a JSON report.
      module Rows
        # line:: the one with the most
        Total = Struct.new(:count, :line)

        class << self
          # Adds up the counts by file, method and name.
          #
          # @param rows [Array<Hash>]
          # @param name [Symbol] the method of this module that names a row
          # @return [Hash{Array(String, String, String) => Total}]
          def totals(rows, name)
            named = rows.group_by { |row| public_send(name, row) }.reject { |found, _| found.nil? }
            named.each_with_object({}) do |(found, some), totals|
              some.group_by { |row| [bytes(row, "file"), bytes(row, "method")] }.each do |place, same|
                counts = same.each_with_object(Hash.new(0)) { |row, lines| lines[row["line"]] += row["count"] }
                totals[[*place, found]] = Total.new(counts.each_value.sum, counts.max_by(&:last).first)
              end
            end
          end

          # @return [String] such as "stat" or "stat (ENOENT)"
          def call_name(row) = row["errno"] ? "#{row["call"]} (#{row["errno"]})" : row["call"]

          # @return [String] without the address of a class that has no name, which each run has another
          def class_name(row) = bytes(row, "class").gsub(/(?<=#<Class):0x\h+/n, "")

          # @return [Symbol, nil] nil for a freshness check, which is not waste
          def kind(row) = (row["kind"].to_sym unless row["kind"] == "freshness_check")

          # @return [Array<Array(String, String, Symbol)>] file, method and kind of the findings that are ignored
          def ignored(rows)
            rows.select { |row| row["ignored"] }.map { |row| [bytes(row, "file"), bytes(row, "method"), kind(row)] }
          end

          # @param field [String] the name of a member, whose value may be in Base64
          # @return [String, nil]
          def bytes(row, field) = row.fetch(field) { row.fetch("#{field}_base64").unpack1("m0") }
        end
      end
    end
  end
end

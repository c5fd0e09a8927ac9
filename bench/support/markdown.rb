# frozen_string_literal: true

module Frugal
  module Bench
    # Markdown that is also readable in a terminal.
    module Markdown
      class << self
        # Makes a table. The first column is aligned left, the others right.
        #
        # @param rows [Array<Array<String>>] the header first
        # @return [Array<String>] lines
        def table(rows)
          widths = rows.transpose.map { |column| column.map(&:size).max }
          lines = rows.map do |first, *rest|
            "| #{[first.ljust(widths.first), *rest.zip(widths.drop(1)).map { |cell, width| cell.rjust(width) }].join(" | ")} |"
          end
          rule = widths.each_with_index.map { |width, i| i.zero? ? ":#{"-" * (width + 1)}" : "#{"-" * (width + 1)}:" }
          lines.insert(1, "|#{rule.join("|")}|")
        end

        # Describes how a measurement was made.
        #
        # @param facts [Hash{Symbol => Object}] command, date, machine, load, notes
        # @return [String]
        def facts(facts)
          machine = facts[:machine].map { |name, value| "- #{name.to_s.tr("_", " ")}: #{value}" }
          ["- command: `#{facts[:command]}`", "- date: #{facts[:date]}", *machine,
           "- load: #{facts[:load].map { |load| load || "unknown" }.join(" before, ")} after",
           *facts[:notes].map { |note| "- note: #{note}" }].join("\n")
        end
      end
    end
  end
end

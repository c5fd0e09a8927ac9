# frozen_string_literal: true

require_relative "difference"

module Frugal
  module Profile
    module Report
      # The difference of two profiles in Markdown (GitHub's), for a comment on a pull request: the verdict, the counts
      # that have changed, the findings that are new or gone; folded, the calls and exceptions by method.
      class DifferenceMarkdown < Difference
        # @param diff [Diff]
        # @param limit [Integer] how many changes of calls, of exceptions and of findings to show
        # @param origins [Origins]
        # @return [String]
        def self.of(diff, limit: LIMIT, origins: Origins.new) = new(diff, nil, limit, origins).to_s

        def to_s
          parts = ["### frugal profile: #{verdict}", counts, list("Findings", @diff.findings),
                   fold("File calls by method", @diff.calls), fold("Exceptions by method", @diff.exceptions)]
          "#{parts.compact.join("\n\n")}\n"
        end

        private

        def counts
          rows = @diff.counts.reject { |_, (before, after)| before == after }
          return if rows.empty?

          lines = rows.map { |name, (before, after)| row(name, number(before), number(after), signed(after - before)) }
          ["| | before | after | |", "|---|--:|--:|--:|", *lines].join("\n")
        end

        # A bar would end a cell, also inside of code (GitHub Flavored Markdown 0.29, 4.10).
        def row(*cells) = "| #{cells.map { |cell| cell.to_s.gsub("|", "\\|") }.join(" | ")} |"

        def list(title, changes)
          return if changes.empty?

          ["**#{title}**\n", *changes.first(@limit).map { |change| "- #{item(change)}" }, *more(changes)].join("\n")
        end

        def item(change)
          "#{change.kind}: #{place(change)}: #{name(change)}, #{arrow(change.before, change.after)}"
        end

        def fold(title, changes)
          return if changes.empty?

          rows = changes.first(@limit).map do |change|
            row(place(change), name(change), number(change.before), number(change.after), signed(change.difference))
          end
          ["<details><summary>#{title}</summary>\n", "| | | before | after | |", "|---|---|--:|--:|--:|", *rows,
           *more(changes).map { |text| "\n#{text}" }, "\n</details>"].join("\n")
        end

        def more(changes)
          rest = changes.drop(@limit)
          rest.empty? ? [] : ["#{Words.count(rest.size, "other method")}, #{signed(rest.sum(&:difference))}"]
        end

        def name(change) = change.name.is_a?(Symbol) ? Words.kind(change.name) : code(change.name)

        def place(change)
          place = code(Words.place(change.file, change.line, @origins))
          change.method ? "#{place} (#{code(change.method)})" : place
        end

        # A name may have backquotes, so there is one more around it (CommonMark 0.31, 6.1).
        def code(text)
          text = Words.visible(text)
          quotes = "`" * ((text.scan(/`+/).map(&:size).max || 0) + 1)
          space = " " if text.start_with?("`") || text.end_with?("`")
          "#{quotes}#{space}#{text}#{space}#{quotes}"
        end
      end
    end
  end
end

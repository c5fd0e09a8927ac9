# frozen_string_literal: true

require_relative "layout"
require_relative "words"

module Frugal
  module Profile
    module Report
      # The difference of two profiles as text: verdict, counts, changes by method, next step.
      class Difference
        LIMIT = 10 # changes of each kind
        INDENT = 11 # columns before a place, for the number
        private_constant :INDENT

        # @param diff [Diff]
        # @param width [Integer, nil] columns of the terminal; nil if the output is not a terminal
        # @param limit [Integer] how many changes of calls, of exceptions and of findings to show
        # @param origins [Origins]
        # @yieldparam verdict [String] which the caller may make bold
        # @return [String]
        def self.of(diff, width: nil, limit: LIMIT, origins: Origins.new, &bold)
          new(diff, Layout.new(width), limit, origins).to_s(&bold)
        end

        def initialize(diff, layout, limit, origins)
          @diff = diff
          @layout = layout
          @limit = limit
          @origins = origins
        end

        def to_s
          verdict = @layout.paragraph(self.verdict).join("\n")
          verdict = yield(verdict) if block_given?
          sections = { "file calls" => @diff.calls, "exceptions" => @diff.exceptions, "findings" => @diff.findings }
          [[verdict], counts, *sections.map { |title, changes| section(title, changes) }, next_step]
            .reject(&:empty?).map { |part| part.join("\n") }.join("\n\n") << "\n"
        end

        private

        def verdict = [numbers, findings].compact.join("; ")

        def numbers
          calls, exceptions = @diff.counts.values_at(:calls, :exceptions)
          parts = [part(calls, "file call"), part(exceptions, "exception")].compact
          return parts.join(" and ") if parts.any?

          "as many file calls (#{number(calls.first)}) and exceptions (#{number(exceptions.first)}) as before"
        end

        def part((before, after), noun)
          return if before == after

          "#{Words.count((after - before).abs, noun)} #{after > before ? "more" : "fewer"} (#{arrow(before, after)})"
        end

        def findings
          kinds = @diff.findings.map(&:kind).tally
          parts = { gone: "gone", new: "new" }.filter_map { |kind, word| "#{kinds[kind]} #{word}" if kinds[kind] }
          "findings: #{parts.join(", ")}" if parts.any?
        end

        def counts
          @layout.table(@diff.counts.to_h { |name, (before, after)| [name.to_s, arrow(before, after)] })
        end

        def section(title, changes)
          return [] if changes.empty?

          lines = changes.first(@limit).flat_map { |change| change_lines(change) }
          ["#{title}:", *lines, *rest(changes.drop(@limit))]
        end

        def change_lines(change)
          name = change.name.is_a?(Symbol) ? Words.kind(change.name) : Words.visible(change.name)
          place = Words.place(change.file, change.line, @origins)
          place += " (#{Words.visible(change.method)})" if change.method
          text = "#{place}: #{name}, #{arrow(change.before, change.after)}"
          @layout.paragraph(text, indent: INDENT, first: "#{signed(change.difference).rjust(INDENT - 2)}  ")
        end

        def rest(changes)
          return [] if changes.empty?

          sum = signed(changes.sum(&:difference))
          text = "in #{Words.count(changes.size, "other method")}"
          @layout.paragraph(text, indent: INDENT, first: "#{sum.rjust(INDENT - 2)}  ")
        end

        def next_step
          before, after = @diff.counts[:calls]
          command = after > before ? "frugal profile --html profile.html" : "frugal budget --max-calls #{after}"
          @layout.paragraph("next: #{command} -- #{self.command}")
        end

        def command
          words = @diff.after.fetch("command") { @diff.after.fetch("command_base64").map { |word| word.unpack1("m0") } }
          Words.visible(Readable.command(words))
        end

        def arrow(before, after) = "#{number(before)} → #{number(after)}"

        def signed(number) = "#{"+" if number.positive?}#{number(number)}"

        def number(number) = Readable.count(number)
      end
    end
  end
end

# frozen_string_literal: true

require_relative "../observed"
require_relative "../paint"
require_relative "../../readable"

module Frugal
  module CLI
    module Budget
      # The result of `frugal budget` for people: verdict, counts beside limits, costliest lines, next step.
      class Text
        # @param result [Frugal::Budget::Result]
        # @param plan [Plan]
        # @param updated [Frugal::Budget::LimitsFile, nil] the limits that replace those of the plan's file
        def initialize(result, plan, updated = nil)
          @result = result
          @plan = plan
          @updated = updated
        end

        # @return [String]
        def to_s
          parts = [Paint.bold("frugal: #{verdict}", $stderr), table, *excesses.map { |excess| lines(excess) }, *notes,
                   *next_step]
          "#{parts.join("\n\n")}\n"
        end

        private

        def excesses = @result.success? ? @result.excesses : []

        def failure = "the command failed (#{Frugal::Command.ending(status)}), so nothing was checked"

        def verdict
          return failure unless @result.success?
          return update if @updated
          return "within the budget" if excesses.empty?

          "over the budget by #{excesses.map { |excess| too_many(excess) }.join(", ")}"
        end

        def too_many(excess) = "#{count(excess.over)} #{excess.over == 1 ? excess.limit.to_s.chop : excess.limit}"

        def status = @result.recording.status

        def update
          path = visible(@updated.path)
          changes = @updated.limits.filter_map { |name, now| change(name, @plan.file.limits[name], now) }
          return "#{path} is unchanged" if changes.empty?

          "#{path} is #{@plan.file.limits.empty? ? "written" : "updated: #{changes.join(", ")}"}"
        end

        def change(name, before, now) = ("#{name} #{before ? count(before) : "none"} → #{count(now)}" if before != now)

        def table
          rows = [["", "most", "counted", "over"], *@result.counts.map { |name, number| row(name, number) }]
          rows.each(&:pop) if excesses.empty?
          widths = rows.transpose.map { |column| column.map(&:size).max }
          rows.map! { |name, *cells| [name.ljust(widths.first), *aligned(cells, widths.drop(1))].join("   ").rstrip }
          rows.join("\n")
        end

        def row(name, number)
          most = @result.budget.limits[name]
          over = most && number > most ? count(number - most) : ""
          [name.to_s, most ? count(most) : "-", count(number), over]
        end

        def aligned(cells, widths) = cells.zip(widths).map { |cell, width| cell.rjust(width) }

        def lines(excess)
          rows = excess.lines.map { |line| [count(line.count), format("%.1f %%", line.share * 100), place(line)] }
          widths = rows.transpose.map { |column| column.map(&:size).max }
          found = rows.map { |*numbers, place| ["", *aligned(numbers, widths), place].join("   ") }
          ["#{excess.limit}, by line:", *found].join("\n")
        end

        def place(line)
          line.file ? "#{visible(line.file.delete_prefix("#{Dir.pwd}/"))}:#{line.line}" : "outside of Ruby"
        end

        def notes = @result.recording.notes.map { |note| "note: #{visible(note)}" }

        def next_step
          return unless @result.success?

          command = visible(Frugal::Readable.command(@result.recording.command))
          return "next: frugal profile -- #{command}" unless @updated

          "next: frugal budget --file #{visible(Frugal::Readable.command([@updated.path]))} -- #{command}"
        end

        def count(number) = Frugal::Readable.count(number)

        def visible(text) = Observed.visible(text)
      end
    end
  end
end

# frozen_string_literal: true

require_relative "measuring"

module CostBudget
  # What a case costs, beside what is committed.
  class Comparison
    LIMIT = 0.03
    # What differs anyway: some instructions by hash seeds, addresses and the state of malloc, an arena of a thread or a
    # table that doubles just before the peak.
    SLACK = { instructions: 10_000, calls: 1, objects: 3, bytes: 524_288 }.freeze
    NAMES = { instructions: "instructions", calls: "system calls", objects: "objects", bytes: "bytes at most" }.freeze
    NOISE = 0.001 # of the instructions of a whole process
    SHOWN = 8 # functions

    # @param name [String] of the case
    # @param before [Costs, nil] committed
    # @param now [Costs]
    def initialize(name, before, now)
      @name = name
      @before = before
      @now = now
    end

    # @return [Array<String>] what costs more than is committed
    def failures
      return ["#{@name} has no figures: rake cost:accept"] unless @before

      grown = SLACK.keys.select { |column| change(column) > allowed(column) }
      grown.map { |column| describe(column) } + (grown.include?(:instructions) ? functions : [])
    end

    # @return [Array<String>] what costs less
    def gains = @before ? SLACK.keys.select { |column| -change(column) > allowed(column) }.map { |column| describe(column) } : []

    private

    def change(column) = @now[column] - @before[column]

    # Most instructions of a whole process are Ruby's own; the limit is for those that frugal adds.
    def allowed(column)
      added = @before.added if column == :instructions
      [added ? added.abs * LIMIT + @before[column] * NOISE : @before[column] * LIMIT, SLACK[column]].max
    end

    def describe(column)
      percent = @before[column].zero? ? "" : format(" (%+.1f %%)", change(column) * 100.0 / @before[column])
      "#{@name}: #{@now[column]} #{NAMES[column]} instead of #{@before[column]}#{percent}"
    end

    # Of a function that is not committed, only what is above the last one of them has certainly grown.
    def functions
      least = @before.functions.values.min || 0
      grown = @now.functions.to_h { |name, count| [name, count - @before.functions.fetch(name, least)] }
      grown.select { |_, more| more.positive? }.max_by(SHOWN) { |_, more| more }.map { |name, more| format("  %+13d  %s", more, name) }
    end
  end
end

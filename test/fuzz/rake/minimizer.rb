# frozen_string_literal: true

module RakeFuzz
  # Removes the parts of a case that a difference does not need: statements, then their
  # optional fragments, tree entries and arguments, first in halves, then one by one.
  class Minimizer
    # The most runs of the pair for one minimization.
    MAX_RUNS = 600

    # The most seconds for it, since a candidate may hang.
    SECONDS = 60

    # @yieldparam candidate [Case]
    # @yieldreturn [Boolean] whether the candidate still differs
    def initialize(kase, &differs)
      @case = kase
      @differs = differs
      @runs = 0
      @deadline = clock + SECONDS
    end

    def call
      loop do
        before = size
        @case = shrink(:statements)
        fragments
        @case = shrink(:tree)
        @case = shrink(:argv)
        return @case if size == before || spent?
      end
    end

    private

    def size = @case.to_source.size

    # Minimizes one list of the case by the algorithm ddmin (Zeller).
    def shrink(field, best = @case)
      step = [best[field].size / 2, 1].max
      loop do
        at = 0
        while at < best[field].size
          candidate = with(best, field, best[field][0...at] + best[field][at + step..].to_a)
          differs?(candidate) ? best = candidate : at += step
        end
        return best if step == 1

        step /= 2
      end
    end

    def fragments
      @case.statements.each_index do |row|
        column = 0
        while column < @case.statements[row].size
          if @case.statements[row][column].is_a?(Array)
            candidate = without(row, column)
            next @case = candidate if differs?(candidate)
          end
          column += 1
        end
      end
    end

    def without(row, column)
      statements = @case.statements.map(&:dup)
      statements[row].delete_at(column)
      with(@case, :statements, statements)
    end

    def with(kase, field, value) = kase.dup.tap { |copy| copy[field] = value }

    def differs?(candidate)
      return false if spent?

      @runs += 1
      @differs.call(candidate)
    end

    def spent? = @runs >= MAX_RUNS || clock > @deadline

    def clock = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  end
end

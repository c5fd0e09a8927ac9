# frozen_string_literal: true

module RakeFuzz
  # Leaves out whatever a difference does not need: statements, then their
  # optional fragments, tree entries and arguments, in halves, then one by one.
  class Minimizer
    # Runs of the pair that one minimization may take.
    BUDGET = 600

    # Seconds that it may take: a candidate may hang.
    PATIENCE = 60

    # @yieldparam candidate [Case]
    # @yieldreturn [Boolean] whether the difference is still there
    def initialize(kase, &still)
      @case = kase
      @still = still
      @runs = 0
      @deadline = clock + PATIENCE
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

    # ddmin over one list of the case.
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
      @still.call(candidate)
    end

    def spent? = @runs >= BUDGET || clock > @deadline

    def clock = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  end
end

# frozen_string_literal: true

# needs: valgrind
# uses: webs, caches, rakes

require_relative "../test_helper"
require_relative "support/comparison"
require_relative "support/figures"

# What whole cases cost, in instructions, system calls, objects and peak bytes, must not grow by more than 3 % beyond the
# committed figures. `rake cost:accept` writes new ones, so that a change which costs something shows it in its diff.
#
# The groups are measured side by side; each fills a processor. `bin/test` without names of files measures only those that take
# seconds.
class CostTest < Frugal::TestCase
  parallelize_me!

  FIGURES = CostBudget::Figures.new

  def setup = skip_where_times_are_not_trusted

  groups = CostBudget::Groups.all
  groups = groups.select { |group| %w[trees pstore library].include?(group.name) } if QUICK
  groups.each do |group|
    define_method("test_#{group.name}") do
      reason = group.missing || CostBudget::Measuring.missing || FIGURES.reason(group)
      skip reason if reason

      compare(FIGURES.of(group), CostBudget::Measuring.new(group).call)
    end
  end

  private

  def compare(known, measured)
    comparisons = measured.map { |name, costs| CostBudget::Comparison.new(name, known[name], costs) }
    gains = comparisons.flat_map(&:gains)
    puts "costs less, and `rake cost:accept` keeps it so:", gains if gains.any?
    failures = comparisons.flat_map(&:failures)
    assert_empty failures, "#{failures.join("\n")}\nIf it is worth it, say why in the commit of what `rake cost:accept` writes."
    assert_empty known.keys - measured.keys, "cases that are gone: rake cost:accept"
  end
end

# frozen_string_literal: true

require_relative "../test_helper"
require "frugal/compare"
require_relative "../../bench/rake/cases"
require_relative "../../bench/rake/results"
require_relative "../../bench/rake/rivals"

# How `frugal bench rake` reads the processor time of phases, and compares it with targets. See bench_test.rb for real runs.
class RakeBenchTest < Frugal::TestCase
  Phases = Frugal::RakeBench::Phases
  SUBJECT = Frugal::RakeBench::Case.new(name: "p50000", title: "files")

  def test_phases_are_the_differences_of_what_the_clock_wrote
    write("phases", "boot 1.5\nrakefile 2.0\nbuild 4.5\n")

    phases = Phases.take(path("phases"))
    assert_equal [1.5, 0.5, 2.5], phases.to_a
    assert_equal [3.0, 4.5], [phases.after_boot, phases.whole]
    assert_nil Phases.take(path("phases")), "it was read"
  end

  def test_a_run_that_ended_early_has_no_phases
    write("phases", "boot 1.5\nbuild 2.0\n")

    assert_nil Phases.take(path("phases"))
  end

  def test_the_clock_does_nothing_in_a_rakefile_without_it
    result = run_ruby("-e", Phases.marked("puts :ran\n"))

    assert_equal ["ran\n", ""], [result.out, result.err]
  end

  def test_targets_by_phase
    results = Frugal::RakeBench::Results.new(rival("rake"), quick: false)
    results.add(SUBJECT, [row("jruby", nil, [2.0, 1.0, 8.0]), row("frugal", "jruby", [2.0, 0.5, 0.5])])

    judged = results.goals.select { |goal| Phases.method_defined?(goal.text) }
    assert_equal({ build: [16.0, "met"], after_boot: [9.0, "met"], whole: [11.0 / 3, "met"] },
                 judged.to_h { |goal| [goal.text, [goal.value, goal.verdict]] })
  end

  private

  def rival(label, stock = nil, jruby = nil) = Frugal::RakeBench::Rival.new(label: label, stock: stock, jruby: jruby)

  def row(label, stock, seconds)
    Frugal::RakeBench::Row.new(SUBJECT, rival(label, stock, "bin/jruby")).tap do |row|
      row.phases << Phases.new(**Phases.members.zip(seconds).to_h)
    end
  end
end

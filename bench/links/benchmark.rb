# frozen_string_literal: true

require_relative "cases"
require_relative "results"
require_relative "../support/run"

module Frugal
  module LinksBench
    # Generates the trees and measures how long each rival takes to list them.
    class Benchmark < Bench::Run
      private

      # The shapes of the figure are listed in the same rounds, because they are compared with
      # each other.
      def measure_all
        @rivals = Rivals.new(@folder, quick: quick?)
        @notes.concat(@rivals.notes)
        @cases = Cases.new(@folder, @rivals, quick: quick?)
        (Cases::TABLE & @options[:only]).each { |name| compare([name]) }
        compare(Cases::FIGURE & @options[:only])
      end

      def stop = @rivals&.stop

      # The reasons are short, so that the table shows them.
      def died(row, error) = row.death = error.message

      def compare(names)
        rows = names.map { |name| prepare(name) }
        @options[:rounds].times do |round|
          rows.each { |same| round(same, round) { |row| row.rival.measure(row.subject.root).first } }
        end
      end

      # Counts the paths that each rival lists. This is also the warm-up.
      def prepare(name)
        @progress.call("generating: #{name}, in #{@folder}")
        subject = @cases[name]
        rows = @results.add(subject, subject.rivals.map { |rival| Row.new(subject, rival) })
        rows.each do |row|
          say(row, "counting")
          attempt(row) { row.paths = row.rival.count(subject.root).last }
        end
      end
    end
  end
end

# frozen_string_literal: true

require_relative "cases"
require_relative "results"
require_relative "../support/run"

module Frugal
  module LinksBench
    # Generates the trees and measures how long each rival takes to list them.
    class Benchmark < Bench::Run
      # @return [Results]
      attr_reader :results

      # @param options [Hash] the parsed options of the command line
      def initialize(options)
        super("links", options)
        @results = Results.new(quick: options[:quick])
      end

      # The shapes of the figure are listed in the same rounds, because they are compared with
      # each other.
      #
      # @return [self]
      def run
        in_folder do
          @rivals = Rivals.new(@folder, quick: @options[:quick])
          @notes.concat(@rivals.notes)
          cases = Cases.new(@folder, @rivals, quick: @options[:quick])
          chosen(Cases::TABLE).each { |name| compare([prepare(cases, name)]) }
          compare(chosen(Cases::FIGURE).map { |name| prepare(cases, name) })
        end
        self
      ensure
        @rivals&.stop
      end

      private

      def chosen(names) = names & @options[:only]

      # Counts the paths that each rival lists. This is also the warm-up.
      def prepare(cases, name)
        @progress.call("generating: #{name}, in #{@folder}")
        subject = cases[name]
        @results.add(subject).each do |row|
          @progress.call("#{name}, counting, #{row.label}")
          attempt(row) { row.paths = row.rival.count(subject.root).last }
        end
        subject
      end

      def compare(subjects)
        @options[:rounds].times do |round|
          subjects.each do |subject|
            rotate(@results.rows(subject.name), round).each do |row|
              @progress.call("#{subject.name}, round #{round + 1} of #{@options[:rounds]}, #{row.label}")
              attempt(row) { row.series.times[round] = row.rival.measure(subject.root).first }
            end
          end
        end
      end

      def attempt(row)
        yield unless row.death
      rescue Bench::Died => e
        row.death = e.message
      end
    end
  end
end

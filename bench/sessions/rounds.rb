# frozen_string_literal: true

require_relative "../support/worker_process"

module Frugal
  module SessionsBench
    # The rounds of {Benchmark}, and what happens to a rival that fails or is not here.
    module Rounds
      private

      # Warms up each row, and then measures each one in each round.
      #
      # @yieldparam row [Row]
      # @yieldparam seconds [Float]
      # @yieldparam round [Integer]
      # @yieldreturn [Float] seconds of one visit, call or request
      def slices(rows, seconds)
        rows.each { |row| attempt(row) { yield row, seconds / 2, 0 } }
        @options[:rounds].times do |round|
          rotate(rows, round).each do |row|
            say(row, "round #{round + 1} of #{@options[:rounds]}")
            attempt(row) { row.time.times[round] = yield(row, seconds, round) }
          end
        end
      end

      def rows(subjects) = subjects.flat_map { |subject| @results.rows(subject) }

      def attempt(*rows)
        yield unless rows.first.death || !@results.rows(rows.first.subject).include?(rows.first)
      rescue Bench::Died => e
        rows.each { |row| row.death = e.message[/\A[A-Z][\w:]*(?=: )/] || e.message }
        @notes |= ["#{rows.first.subject.name}, #{rows.first.label} dies: #{e.message}"]
      rescue Bench::Missing => e
        rows.each { |row| @results.remove(row) }
        @notes |= ["#{rows.first.subject.name}, #{rows.first.label} is not measured: #{e.message}"]
      end

      def say(row, step) = @progress.call("#{row.subject}, #{step}, #{row.label}")
    end
  end
end

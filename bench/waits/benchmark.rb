# frozen_string_literal: true

require_relative "results"
require_relative "../support/run"

module Frugal
  module WaitsBench
    # Runs a storm for each case.
    class Benchmark < Bench::Run
      QUICK = 20 # turns
      private_constant :QUICK

      # @raise [Error] if the system has no fork
      def run
        raise Error, "this benchmark needs fork: run it with MRI" unless Process.respond_to?(:fork)

        super
      end

      private

      def measure_all
        @places = Cases::Places.new(@folder)
        @notes << "#{@options[:busy]} busy processes beside them" if @options[:busy].positive?
        chosen(Cases::ALL).each { |one| measure(one) }
        read if @options[:only].include?(Reads::NAME)
      end

      def stop = @places&.close

      def measure(one)
        reason = @places.missing(one.name)
        return @notes << "#{one.title} was not measured: #{reason}" if reason

        @progress.call("#{one.title}, #{one.processes} processes")
        place = @places.open(one.name).create
        storm = storm(one)
        @results.add(one, [Row.new(one, storm, place.value)])
      end

      def read
        reason = Reads.missing
        return @notes << "the reads of a cache were not measured: #{reason}" if reason

        @progress.call("reads of an entry that #{Reads::WRITERS} processes write")
        @results.reads = Reads.new(@folder, **(quick? ? { seconds: 0.05, rounds: 1 } : {})).call
      end

      def storm(one)
        turns = quick? ? QUICK : one.turns
        Storm.new(processes: one.processes, target: turns, threads: 1, hold: one.hold, busy: @options[:busy]) do
          @places.open(one.name)
        end.call
      end
    end
  end
end

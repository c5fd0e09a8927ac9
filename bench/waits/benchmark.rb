# frozen_string_literal: true

require_relative "results"
require_relative "../support/run"

module Frugal
  module WaitsBench
    # Runs a storm for each case.
    class Benchmark < Bench::Run
      QUICK = 20 # turns
      private_constant :QUICK

      # @return [Results]
      attr_reader :results

      # @param options [Hash] the parsed options of the command line
      def initialize(options)
        super("waits", options)
        @results = Results.new(quick: options[:quick])
      end

      # @return [self]
      # @raise [Error] if the system has no fork
      def run
        raise Error, "this benchmark needs fork: run it with MRI" unless Process.respond_to?(:fork)

        in_folder do
          @places = Cases::Places.new(@folder)
          @notes << "#{@options[:busy]} busy processes beside them" if @options[:busy].positive?
          Cases::ALL.each { |one| measure(one) if @options[:only].include?(one.name) }
          read if @options[:only].include?(Reads::NAME)
        ensure
          @places&.close
        end
        self
      end

      private

      def measure(one)
        reason = @places.missing(one.name)
        return @notes << "#{one.title} was not measured: #{reason}" if reason

        @progress.call("#{one.title}, #{one.processes} processes")
        place = @places.open(one.name).create
        @results.rows << Row.new(one, storm(one), place.value)
      end

      def read
        reason = Reads.missing
        return @notes << "the reads of a cache were not measured: #{reason}" if reason

        @progress.call("reads of an entry that #{Reads::WRITERS} processes write")
        @results.reads = Reads.new(@folder, **(@options[:quick] ? { seconds: 0.05, rounds: 1 } : {})).call
      end

      def storm(one)
        turns = @options[:quick] ? QUICK : one.turns
        Storm.new(processes: one.processes, target: turns, threads: 1, hold: one.hold, busy: @options[:busy]) do
          @places.open(one.name)
        end.call
      end
    end
  end
end

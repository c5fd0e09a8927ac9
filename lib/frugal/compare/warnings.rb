# frozen_string_literal: true

require "etc"
require_relative "../dropin/switch"

module Frugal
  class Compare
    # Warnings about circumstances that make a result less reliable, and what to do
    # about them.
    class Warnings
      SHORT_RUN = 0.1 # seconds; Ruby itself needs about half of that to start
      MIN_PAIRS = 3
      NO_ALLOCATIONS = "JRuby does not count them" # there is no GC.stat[:total_allocated_objects]
      private_constant :SHORT_RUN, :MIN_PAIRS

      # @param result [Result]
      # @return [Array<String>] each without a full stop at the end
      def self.of(result) = new(result).all

      # @param counts [Counts]
      # @return [Array<String>] the names of the drop-ins that were on
      def self.active_dropins(counts) = counts.dropins.filter_map { |dropin| dropin[:name] if dropin[:state] == "on" }

      def initialize(result)
        @result = result
      end

      # @return [Array<String>]
      def all
        [interrupted, switched_off, accelerated, aside, failing, output_ignored, few_pairs, short_run, *outliers, load,
         lost_processes, no_counts, no_file_calls, *not_recorded].compact
      end

      private

      attr_reader :result

      def switched_off
        "#{Dropin::Switch.all_off} is set, so both sides ran without frugal: unset it" if Dropin::Switch.all_off
      end

      def accelerated
        names = result.counts ? Warnings.active_dropins(result.counts[:stock]) : []
        return if names.empty?

        "stock also used #{names.join(", ")}, so it was not stock: the program or RUBYOPT enables frugal itself"
      end

      def interrupted
        return unless result.interrupted

        "interrupted after #{result.pairs.size} of #{result.planned} pairs: the report shows only these"
      end

      def aside
        names = result.dropins.select { |dropin| dropin[:state] == "aside" }
        return if names.empty?

        names.map { |dropin| "#{dropin[:name]} stood aside: #{dropin[:reason]}" }.join("; ")
      end

      def failing
        "the command fails (#{result.ending}) on both sides" unless result.success? # --ignore-failure
      end

      def output_ignored
        "the output was not compared (--ignore-output)" if result.options[:ignore_output]
      end

      def few_pairs
        return unless result.pairs.size < MIN_PAIRS

        pairs = result.pairs.size == 1 ? "one pair does" : "two pairs do"
        "#{pairs} not show how much the times vary: use -n 5 or more"
      end

      def short_run
        fastest = %i[stock frugal].map { |side| result.median(:wall, side) }.min
        return unless fastest < SHORT_RUN

        "a run is short (#{Readable.seconds(fastest)}), and much of it is the start of Ruby: compare a larger job"
      end

      def outliers
        %i[stock frugal].filter_map do |side|
          found = Statistics.outliers(result.times(:wall, side))
          next if found.empty?

          "#{found.size} of the #{result.pairs.size} #{side} runs took much more or less than their median " \
            "(#{found.map { |time| Readable.seconds(time) }.join(", ")}): stop other programs or use more pairs"
        end
      end

      def load
        return unless result.load && result.load > Etc.nprocessors

        "the load was #{result.load} on #{Etc.nprocessors} processors at the start: " \
          "the times may be inaccurate, the counts are not affected"
      end

      def lost_processes
        count = result.counts&.values&.sum(&:lost).to_i
        return if count.zero?

        "#{count} Ruby #{count == 1 ? "process" : "processes"} of the counting runs reported no counts " \
          "(exec, exit! or a signal): they are missing from #{missing(exceptions: result.file_calls.nil?)}"
      end

      def no_counts
        return "allocations were not counted: #{NO_ALLOCATIONS}" if result.no_allocations?

        "#{missing(exceptions: uncounted?)} were not counted: #{result.no_counts_reason}" if result.no_counts_reason
      end

      def missing(exceptions:) = exceptions ? "allocations and exceptions" : "allocations"

      def uncounted? = result.count(:exceptions, :stock).nil?

      def no_file_calls
        "file calls were not counted: #{result.no_file_calls_reason}" if result.no_file_calls_reason
      end

      def not_recorded
        notes = result.file_calls&.values&.flat_map(&:notes).to_a.uniq
        notes.map { |note| "file calls: #{note}" }
      end
    end
  end
end

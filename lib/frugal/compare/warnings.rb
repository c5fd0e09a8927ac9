# frozen_string_literal: true

require "etc"
require_relative "../dropin/switch"

module Frugal
  class Compare
    # What makes a result less than it looks, and what to do about it.
    class Warnings
      SHORT = 0.1 # seconds; Ruby alone takes about half of it to start
      FEW = 3
      private_constant :SHORT, :FEW

      # @param result [Result]
      # @return [Array<String>] one sentence or two each, without an end mark
      def self.of(result) = new(result).all

      # @param counts [Counts]
      # @return [Array<String>] the names of the drop-ins that were on
      def self.on(counts) = counts.dropins.filter_map { |dropin| dropin[:name] if dropin[:state] == "on" }

      def initialize(result)
        @result = result
      end

      # @return [Array<String>]
      def all
        [interrupted, switched_off, accelerated, aside, failing, ignored, few, short, *outliers, load, lost, uncounted, untraced].compact
      end

      private

      attr_reader :result

      def switched_off
        "#{Dropin::Switch.all_off} is set, so both sides ran stock: unset it" if Dropin::Switch.all_off
      end

      def accelerated
        names = result.counts ? Warnings.on(result.counts[:stock]) : []
        return if names.empty?

        "stock used #{names.join(", ")} too, so it is not stock: the program, or RUBYOPT, switches it on by itself"
      end

      def interrupted
        "interrupted after #{result.pairs.size} of #{result.planned} pairs: this is what is known" if result.interrupted
      end

      def aside
        names = result.dropins.select { |dropin| dropin[:state] == "aside" }
        return if names.empty?

        names.map { |dropin| "#{dropin[:name]} stood aside: #{dropin[:reason]}" }.join("; ")
      end

      def failing
        "the command fails (#{result.ending}), alike on both sides" unless result.success? # --ignore-failure
      end

      def ignored
        "the output was not compared (--ignore-output)" if result.options[:ignore_output]
      end

      def few
        return unless result.pairs.size < FEW

        "#{result.pairs.size == 1 ? "one pair shows" : "two pairs show"} no noise: use -n 5 or more"
      end

      def short
        fastest = %i[stock frugal].map { |side| result.median(:wall, side) }.min
        return unless fastest < SHORT

        "a run is short (#{Units.seconds(fastest)}), and much of it is Ruby's own start: compare a larger job"
      end

      def outliers
        %i[stock frugal].filter_map do |side|
          found = Statistics.outliers(result.times(:wall, side))
          next if found.empty?

          "#{found.size} of the #{result.pairs.size} #{side} runs took much more or less than their median " \
            "(#{found.map { |time| Units.seconds(time) }.join(", ")}): quiet the machine, or use more pairs"
        end
      end

      def load
        return unless result.load && result.load > Etc.nprocessors

        "the load was #{result.load} on #{Etc.nprocessors} processors at the start: times may be noise, counts are not"
      end

      def lost
        count = result.counts&.values&.sum(&:lost).to_i
        return if count.zero?

        "#{count} Ruby #{count == 1 ? "process" : "processes"} of the counting runs ended without a word " \
          "(exec, exit! or a signal): allocations and exceptions leave them out"
      end

      def uncounted
        "allocations and exceptions were not counted: #{result.uncounted}" if result.uncounted
      end

      def untraced
        "system calls were not counted: #{result.untraced}" if result.untraced
      end
    end
  end
end

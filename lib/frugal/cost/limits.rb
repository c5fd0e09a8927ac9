# frozen_string_literal: true

require_relative "../error"
require_relative "../profile/recording"

module Frugal
  class Cost
    # The permitted costs of a block: for each name an exact number, a range, or another object with `===`, such as a
    # matcher of RSpec.
    #
    #   limits = Limits.new(syscalls: 1, exceptions: 0, allocations: ..10)
    #   limits.met?(cost)      # => false
    #   limits.problems(cost)  # => ["syscalls: expected 1, got 2\n  stat /app/a   lib/a.rb:12\n  …"]
    class Limits
      # In the order of the documentation; +:syscalls+ are file calls of all kinds.
      NAMES = %i[syscalls stats opens reads writes exceptions allocations].freeze
      SHOWN = 20 # the most different events in a message
      private_constant :SHOWN

      # @return [Hash{Symbol => Object}]
      attr_reader :limits

      # @param limits [Hash{Symbol => Integer, Range, #matches?}]
      # @raise [UsageError] without a limit, for an unknown name or an unusable value
      def initialize(limits)
        @limits = limits
        raise UsageError, "no limit (available: #{NAMES.join(", ")})" if limits.empty?

        limits.each { |name, limit| check(name, limit) }
      end

      # @param cost [Cost]
      # @return [Boolean] whether all limits are met
      def met?(cost) = exceeded(cost).empty?

      # @param cost [Cost]
      # @return [Array<String>] for each limit that is not met: the numbers, and the events that it counts
      def problems(cost)
        exceeded(cost).map do |name, limit|
          found = lines(cost.events.select { |event| counts?(event, name) })
          ["#{name}: expected #{words(limit)}, got #{cost.counts.fetch(name)}", *found].join("\n  ")
        end
      end

      # @return [String] such as "syscalls: 1, exceptions: 0"
      def to_s = limits.map { |name, limit| "#{name}: #{words(limit)}" }.join(", ")

      private

      def check(name, limit)
        raise UsageError, "unknown cost: #{name} (available: #{NAMES.join(", ")})" unless NAMES.include?(name)
        return if (limit.is_a?(Integer) && !limit.negative?) || limit.is_a?(Range) || limit.respond_to?(:matches?)

        raise UsageError, "#{name}: must be a whole number or a range (got #{limit.inspect})"
      end

      def exceeded(cost) = limits.reject { |name, limit| limit === cost.counts.fetch(name) }

      def words(limit) = limit.respond_to?(:description) ? limit.description : limit.inspect

      def counts?(event, name)
        return name == :exceptions if event.is_a?(Profile::Raise)

        name == :syscalls || Profile::Kinds::OF.fetch(name, []).include?(event.name)
      end

      # Returns one line for equal events of one line of source.
      def lines(events)
        groups = events.group_by { |event| [what(event), place(event)] }
        width = groups.keys.map { |what, _| what.size }.max
        shown = groups.first(SHOWN).map do |(what, place), equal|
          "#{what.ljust(width)}   #{place}#{"   #{equal.size} times" if equal.size > 1}"
        end
        groups.size > SHOWN ? shown << "and #{groups.size - SHOWN} more" : shown
      end

      # @return [String] such as "stat /app/a ENOENT" or "raise KeyError"
      def what(event)
        return "raise #{event.class_name}" if event.is_a?(Profile::Raise)

        [event.name, *event.path&.inspect&.[](1..-2), event.error].compact.join(" ")
      end

      def place(event) = event.site ? event.site.to_s.delete_prefix("#{Dir.pwd}/") : "outside of Ruby"
    end
  end
end

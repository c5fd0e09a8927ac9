# frozen_string_literal: true

require_relative "error"
require_relative "budget/excess"
require_relative "budget/limits_file"
require_relative "budget/result"

module Frugal
  # The maximum cost of a run of a program: file calls of each kind, and exceptions.
  #
  #   budget = Frugal::Budget.new(stats: 4_100, exceptions: 0)
  #   budget.check(recording).within?   # => false
  #   budget.check(recording).excesses  # => [#<struct … limit=:stats, most=4100, count=4112, lines=[…]>]
  class Budget
    # The names of limits, in the order of the reports: the keys of `Profile::Recording#counts`.
    LIMITS = %i[calls stats opens reads writes exceptions].freeze

    # @return [Hash{Symbol => Integer}] in the order of {LIMITS}
    attr_reader :limits

    # @param limits [Hash{Symbol => Integer}] the highest permitted counts; a name that is missing is not limited
    # @raise [UsageError] for an unknown limit, or a number below 0
    def initialize(limits)
      unknown = limits.keys - LIMITS
      raise UsageError, "unknown limit: #{unknown.first} (available: #{LIMITS.join(", ")})" if unknown.any?

      limits.each do |name, most|
        raise UsageError, "#{name}: must be 0 or more (got #{most})" if most.negative?
      end
      @limits = LIMITS.select { |name| limits.key?(name) }.to_h { |name| [name, limits[name]] }.freeze
    end

    # *Cost*: no system call; one pass over the events for each limit that is exceeded.
    #
    # @param recording [Profile::Recording]
    # @return [Result]
    def check(recording) = Result.new(self, recording)
  end
end

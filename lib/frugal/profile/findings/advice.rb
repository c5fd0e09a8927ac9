# frozen_string_literal: true

require_relative "checked_uses"
require_relative "open_file"

module Frugal
  module Profile
    module Findings
      # How to fix a check before a use, and the time that the fix saves.
      #
      # fix:: String
      # saved_us:: Float
      # break_even:: Float 0–1: the share of misses at which an exception for each miss costs as much as all checks
      # certainty:: Float 0–1: 1 if the fix is better than the check
      Advice = Struct.new(:fix, :saved_us, :break_even, :certainty)

      # Made by one of its two class methods.
      class Advice
        FREE = { open: "Frugal.read(path)", openat: "Frugal.read(path)", fopen: "Frugal.read(path)",
                 opendir: "Frugal.children(path) or Frugal.entries(path)", readlink: "Frugal.readlink(path)" }.freeze
        NOT_BETTER = 0.4
        private_constant :FREE, :NOT_BETTER

        class << self
          # @param group [CheckedUses]
          # @param savings [Savings]
          # @param checks [Array<Call>] the superfluous ones
          # @return [Advice]
          def of_use(group, savings, checks)
            use = Prose.most(group.uses)
            opening = Kinds::OPENS.include?(use)
            free = group.for_reading? ? FREE[use] : nil
            check_us, exceptions_us, even = prices(group, savings, checks, group.fail_rate, opening: opening)
            return rescuing("ENOENT", free, check_us - exceptions_us, even) if group.fail_rate <= even

            fix = free && "Drop the check and use #{free}, which returns nil for a miss without an exception."
            new(fix || "Keep the check: so many misses would cost more as exceptions.", free ? check_us : 0.0, even,
                free ? 1.0 : NOT_BETTER)
          end

          # @param group [CheckedUses]
          # @param savings [Savings]
          # @param checks [Array<Call>] the superfluous ones
          # @return [Advice]
          def of_creation(group, savings, checks)
            present = 1 - group.fail_rate
            check_us, exceptions_us, even = prices(group, savings, checks, present)
            return rescuing("EEXIST", nil, check_us - exceptions_us, even) if present <= even

            new("Keep the check: so many exceptions would cost more.", 0.0, even, NOT_BETTER)
          end

          private

          # Compares the checks with the exceptions that would replace them: a check that is followed by the use can be
          # removed, and a check that finds the other state becomes an exception.
          #
          # @param opening [Boolean] whether an open fails in place of the check
          # @return [Array(Float, Float, Float)] µs of the checks, µs of the exceptions, the break-even
          def prices(group, savings, checks, exceptional, opening: false)
            check_us = savings.repeated_us(checks)
            exception_us = savings.exception_us(group.depth) + (opening ? savings.cost_model.open_miss_us : 0.0)
            each = check_us / checks.size
            [check_us, exceptional * group.checks * exception_us, each / (each + exception_us)]
          end

          def rescuing(error, free, saved_us, even)
            fix = "Drop the check and rescue Errno::#{error}"
            fix = free ? "#{fix}, or use #{free}, which returns nil for a miss." : "#{fix}."
            new(fix, saved_us, even, saved_us.positive? ? 1.0 : NOT_BETTER)
          end
        end
      end
    end
  end
end

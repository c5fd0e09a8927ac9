# frozen_string_literal: true

require_relative "checked_uses"
require_relative "open_file"

module Frugal
  module Profile
    module Findings
      # How to fix a check before a use, and the time that the fix saves.
      #
      # fix:: String
      # saved:: Amount
      # break_even:: Float 0–1: the share of misses at which an exception for each miss costs as much as all checks
      Advice = Struct.new(:fix, :saved, :break_even)

      # Made by one of its two class methods.
      class Advice
        FREE = { open: "Frugal.read(path)", openat: "Frugal.read(path)", fopen: "Frugal.read(path)",
                 opendir: "Frugal.children(path) or Frugal.entries(path)", readlink: "Frugal.readlink(path)" }.freeze
        private_constant :FREE

        class << self
          # @param group [CheckedUses]
          # @param savings [Savings]
          # @param checks [Array<Call>] the superfluous ones
          # @return [Advice, nil] nil if the check is better than what could replace it
          def of_use(group, savings, checks)
            use = Prose.most(group.uses)
            opening = Kinds::OPENS.include?(use)
            free = group.for_reading? ? FREE[use] : nil
            check, exceptions, even = prices(group, savings, checks, group.fail_rate, opening: opening)
            errors = group.permission? ? "ENOENT and Errno::EACCES" : "ENOENT"
            return rescuing(errors, free, check - exceptions, even) if group.fail_rate <= even
            return unless free

            new("Drop the check and use #{free}, which returns nil for a miss without an exception.", check, even)
          end

          # @param group [CheckedUses]
          # @param savings [Savings]
          # @param checks [Array<Call>] the superfluous ones
          # @return [Advice, nil] nil if the check is better than what could replace it
          def of_creation(group, savings, checks)
            present = 1 - group.fail_rate
            check, exceptions, even = prices(group, savings, checks, present)
            rescuing("EEXIST", nil, check - exceptions, even) if present <= even
          end

          private

          # Compares the checks with the exceptions that would replace them: a check that is followed by the use can be
          # removed, and a check that finds the other state becomes an exception.
          #
          # @param opening [Boolean] whether an open fails in place of the check
          # @return [Array(Amount, Amount, Float)] the checks, the exceptions, the break-even
          def prices(group, savings, checks, exceptional, opening: false)
            check = savings.repeated(checks)
            exception = savings.exceptions([group.depth]) + Amount.of(opening ? savings.cost_model.open_miss_us : 0.0)
            each_us = check.us / checks.size
            [check, exception * (exceptional * group.checks), each_us / (each_us + exception.us)]
          end

          def rescuing(error, free, saved, even)
            return unless saved.us.positive?

            fix = "Drop the check and rescue Errno::#{error}"
            fix = free ? "#{fix}, or use #{free}, which returns nil for a miss." : "#{fix}."
            new(fix, saved, even)
          end
        end
      end
    end
  end
end

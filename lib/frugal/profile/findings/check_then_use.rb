# frozen_string_literal: true

require_relative "advice"
require_relative "finder"

module Frugal
  module Profile
    module Findings
      # A check of a path right before a use that gives the same answer: `File.exist?(path) && File.read(path)`. The
      # pair is also a race, since the file may vanish in between.
      #
      # The share of checks that fail decides which is cheaper: with the check, each hit pays for the check; without it,
      # each miss pays for an exception. Up to the break-even, a rescue is cheaper. Above it, only a call that raises no
      # exception is better than the check; if frugal has no such call, the check is not waste.
      class CheckThenUse < Finder
        CHECKS = %i[stat lstat fstatat statx access eaccess faccessat].freeze
        USES = %i[open openat fopen opendir readlink unlink rmdir rename truncate chmod chown lchown utime link].freeze
        CREATES = %i[mkdir symlink mkfifo].freeze
        NAMES = (CHECKS + USES + CREATES).freeze
        MISSES = %w[ENOENT ENOTDIR].freeze
        # Ruby's methods that ask and return only true or false.
        PREDICATES = %w[exist? file? readable? readable_real? writable? writable_real? executable? symlink?
                        directory?].to_h { |name| [name, true] }.freeze
        CHECKING = CHECKS.to_h { |name| [name, true] }.freeze
        CREATING = CREATES.to_h { |name| [name, true] }.freeze
        OPENING = %i[open openat fopen opendir].to_h { |name| [name, true] }.freeze
        ACCESSES = %i[access eaccess faccessat].freeze
        ASSUMPTION = "the answer of the check is not used for anything else"
        # Of the checks for a type, the uses that fail with any other type.
        USES_OF_TYPE = { "symlink?" => %i[readlink], "directory?" => %i[opendir rmdir] }.freeze
        private_constant :ASSUMPTION, :USES_OF_TYPE, :MISSES, :PREDICATES, :CHECKING, :CREATING, :OPENING

        # @param context [Context]
        def initialize(context)
          super
          @checks = Hash.new { |all, place| all[place] = CheckedUses.new(place) }.compare_by_identity
        end

        # Called by the {Timeline}.
        def call(call, node, actor, facts)
          return unless node
          return check(call, node, actor, facts) if CHECKING.key?(call.name)

          checked = actor.checks.delete(node)
          use(checked, call, facts) if checked && !actor.waited_since?(checked)
        end

        # @param claims [Claims]
        # @return [Array<Finding>]
        def findings(claims)
          @checks.each_value.flat_map do |group|
            [used(group, claims), created(group, claims)].compact
          end
        end

        private

        # Remembers a check. A method that returns more than true or false needs the call, so its call is not a check.
        def check(call, node, actor, facts)
          unless facts.question.nil? || PREDICATES.key?(facts.question)
            actor.checks.delete(node)
            return
          end
          actor.checks[node] = call
          @checks[facts.place].check(call, facts)
        end

        def use(check, call, facts)
          checking = timeline.stacks.of(check.stack)
          return unless checking.near?(facts)

          group = @checks[checking.place]
          if check.error.nil?
            group.use(check, call) if answers?(call, check) && type_answered?(call, checking.question)
          elsif MISSES.include?(check.error)
            group.create(check, call) if CREATING.key?(call.name)
          end
        end

        # Reports whether the use fails where the check would fail. An open that creates the file does not; and of the
        # uses, only an open fails without the permission that access asks about.
        def answers?(call, check)
          opens = OPENING.key?(call.name)
          return call.flags & File::CREAT == 0 if opens

          !CREATING.key?(call.name) && (check.flags.zero? || !ACCESSES.include?(check.name))
        end

        def type_answered?(call, question)
          uses = USES_OF_TYPE[question]
          uses.nil? || uses.include?(CheckedUses.sort(call))
        end

        def used(group, claims)
          checks = claims.free(group.used)
          return if checks.empty? || !group.always_used?

          advice = Advice.of_use(group, savings, checks) or return
          advised(group, checks, claims, advice, used_message(group, checks, advice))
        end

        def advised(group, checks, claims, advice, message)
          finding(:check_then_use, group.place, checks, claims,
                  fix: advice.fix, saved: advice.saved, fail_rate: group.fail_rate, assumption: ASSUMPTION,
                  message: message)
        end

        def used_message(group, checks, advice)
          "#{Prose.number(checks.size)} of #{Prose.some(group.checks, "check")} (#{Prose.functions(checks)}) are " \
            "followed by #{Prose.names(group.uses)} of the same path; " \
            "#{Prose.percent(group.fail_rate)} of the checks fail (break-even: #{Prose.percent(advice.break_even)}), " \
            "and the file may vanish in between"
        end

        def created(group, claims)
          checks = claims.free(group.created)
          return if checks.empty?

          advice = Advice.of_creation(group, savings, checks) or return
          advised(group, checks, claims, advice, created_message(group, checks, advice))
        end

        def created_message(group, checks, advice)
          "#{Prose.number(checks.size)} of #{Prose.some(group.checks, "check")} found nothing and are followed by " \
            "#{Prose.names(group.creations)} of the same path; #{Prose.percent(1 - group.fail_rate)} find it there " \
            "(break-even: #{Prose.percent(advice.break_even)}), and another process may create it in between"
        end
      end
    end
  end
end

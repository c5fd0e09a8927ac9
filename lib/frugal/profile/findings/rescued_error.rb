# frozen_string_literal: true

require_relative "finder"

module Frugal
  module Profile
    module Findings
      # Exceptions for failed calls that the program rescues routinely. Rare exceptions are not waste: below the
      # break-even (see {CheckThenUse}), a rescue is cheapest.
      class RescuedError < Finder
        ASSUMPTION = "the program has rescued the exception: it went on, but no rescue was found"
        # Errors of a descriptor that is not ready, or of a signal: these calls are not waste.
        TRANSIENT = %w[EAGAIN EINTR EINPROGRESS].freeze
        FIXES = {
          %w[open openat fopen] => "Use Frugal.read(path), which returns nil for a miss without an exception.",
          %w[opendir] => "Use Frugal.children(path) or Frugal.entries(path), which return nil for a miss.",
          %w[stat lstat fstatat statx] => "Use Frugal.stat, Frugal.mtime or Frugal.size, which return nil for a miss.",
          %w[readlink] => "Use Frugal.readlink(path), which returns nil for a miss without an exception.",
          %w[unlink rmdir] => "With `frugal run`, FileUtils.rm_f removes what is there without an exception.",
          %w[mkdir] => "With `frugal run`, FileUtils.mkdir_p makes what is missing without an exception."
        }.flat_map { |names, fix| names.map { |name| [name.to_sym, fix] } }.to_h.freeze
        OTHER_FIX = "Ask first: so many failures cost more as exceptions than a question each."
        private_constant :ASSUMPTION, :TRANSIENT, :FIXES, :OTHER_FIX

        # The exceptions of one place, and the failed call of each.
        Errors = Struct.new(:place, :raises, :calls)
        private_constant :Errors

        # @param context [Context]
        def initialize(context)
          super
          @errors = Hash.new { |all, place| all[place] = Errors.new(place, [], []) }.compare_by_identity
        end

        # Called by the {Timeline}.
        def raised(exception, failure, facts)
          return if TRANSIENT.include?(exception.error)

          errors = @errors[facts.place]
          errors.raises << exception
          errors.calls << failure
        end

        # @param claims [Claims]
        # @return [Array<Finding>]
        def findings(claims) = @errors.each_value.filter_map { |errors| rescued(errors, claims) }

        private

        def rescued(errors, claims)
          pairs = errors.raises.zip(errors.calls).reject { |exception, _| claims.taken?(exception) }
          pairs = survived(pairs)
          return if pairs.empty?

          place = errors.place
          rescuer = @context.rescuers.find(pairs.first.first)
          saved = savings.exceptions(pairs.map { |exception, _| exception.depth })
          rate, even = rates(pairs.map(&:last), saved.us / pairs.size)
          return if rate < even

          exceptions, calls = pairs.transpose
          finding(:rescued_error, place, exceptions, claims,
                  fix: advice(pairs), fail_rate: rate, saved: saved, assumption: (ASSUMPTION unless rescuer),
                  drop_in: @context.drop_ins.for(:rescued_error, place.file, calls), examples: examples(calls),
                  message: message(pairs, rescuer, rate))
        end

        # Omits the last exception of a thread if no `rescue` for it is known: the exception may have ended the thread.
        def survived(pairs)
          pairs.group_by { |exception, _| [exception.process.pid, exception.thread] }.flat_map do |_, some|
            @context.rescuers.find(some.last.first) ? some : some[0...-1]
          end
        end

        # @return [Array(Float, Float)] the share of these calls that fail; the share above which a question before each
        #   call is cheaper
        def rates(calls, exception_us)
          place = timeline.stacks.of(calls.first.stack).place
          check_us = savings.cost_model.call_us(:stat)
          rate = place&.fail_rate(calls.map(&:name).uniq) || 1.0
          [rate, check_us / (check_us + exception_us)]
        end

        def message(pairs, rescuer, rate)
          exceptions = pairs.map(&:first)
          "#{Prose.some(pairs.size, "exception")} (#{Prose.most(exceptions.map(&:class_name))}) after " \
            "#{Prose.names(pairs.map { |_, call| call.name })}, #{Prose.most(exceptions.map(&:depth))} frames deep, " \
            "#{rescuer ? "rescued at #{rescuer}" : "and the program goes on"}; #{Prose.percent(rate)} of the calls fail"
        end

        def advice(pairs)
          name = Prose.most(pairs.map { |_, call| call.name })
          FIXES.fetch(name, OTHER_FIX)
        end
      end
    end
  end
end

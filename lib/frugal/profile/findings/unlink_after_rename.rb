# frozen_string_literal: true

require_relative "finder"

module Frugal
  module Profile
    module Findings
      # Removals of files that no longer exist, because this process tree has renamed them, and the thread has not
      # waited since. A cleanup of temporary files does this after each success.
      class UnlinkAfterRename < Finder
        NAMES = %i[rename unlink].freeze
        FIX = "Remove the temporary file only where the rename did not happen."
        private_constant :FIX

        # @param context [Context]
        def initialize(context)
          super
          @renamed = {}.compare_by_identity
          @unlinks = Hash.new { |all, place| all[place] = [] }.compare_by_identity
          @exceptions = {}.compare_by_identity
        end

        # Called by the {Timeline}.
        def call(call, node, actor, facts)
          return unless node
          return rename(call, node) if call.name == :rename

          renamed = @renamed.delete(node)
          return unless renamed && call.error == "ENOENT" && !actor.waited_since?(renamed)

          @unlinks[facts.place] << call
        end

        # Called by the {Timeline}.
        def raised(exception, failure, _facts)
          @exceptions[failure] = exception if failure.name == :unlink
        end

        # @param claims [Claims]
        # @return [Array<Finding>]
        def findings(claims) = @unlinks.map { |place, calls| removed(place, calls, claims) }

        private

        def rename(call, node)
          @renamed[node] = call unless call.error
        end

        def removed(place, calls, claims)
          exceptions = @exceptions.values_at(*calls).compact
          claims.take(exceptions)
          finding(:unlink_after_rename, place, calls, claims,
                  fix: FIX, fail_rate: place.fail_rate(%i[unlink]), assumption: held,
                  message: message(place, calls, exceptions),
                  saved: savings.of(calls) + savings.exceptions(exceptions.map(&:depth)))
        end

        def message(place, calls, exceptions)
          "#{Prose.number(calls.size)} of #{Prose.some(place.calls[:unlink], "unlink")} fail, because the file had " \
            "been renamed; #{Prose.some(exceptions.size, "exception")} for it"
        end
      end
    end
  end
end

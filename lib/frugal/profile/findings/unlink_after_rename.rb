# frozen_string_literal: true

require_relative "finder"

module Frugal
  module Profile
    module Findings
      # Removals of files that no longer exist, because this process tree has just renamed them. A cleanup of temporary
      # files does this after each success.
      class UnlinkAfterRename < Finder
        NAMES = %i[rename unlink].freeze
        LIMIT = 1_000_000_000 # nanoseconds from the rename to the unlink
        PROOF = 0.95
        HALF = 3
        FIX = "Remove the temporary file only where the rename did not happen."
        private_constant :LIMIT, :PROOF, :HALF, :FIX

        # @param context [Context]
        def initialize(context)
          super
          @renamed = {}.compare_by_identity
          @unlinks = Hash.new { |all, place| all[place] = [] }.compare_by_identity
          @exceptions = {}.compare_by_identity
        end

        # Called by the {Timeline}.
        def call(call, node, _actor, facts)
          return unless node
          return rename(call, node) if call.name == :rename

          renamed = @renamed.delete(node)
          return unless renamed && call.error == "ENOENT" && call.time - renamed.finish <= LIMIT

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
          found = finding(:unlink_after_rename, place, calls, claims,
                          fix: FIX, fail_rate: place.fail_rate(%i[unlink]), saved_us: saved_us(calls, exceptions),
                          confidence: confidence(PROOF, calls.size, HALF, place),
                          message: message(place, calls, exceptions))
          claims.take(exceptions) if found.shown?
          found
        end

        def saved_us(calls, exceptions)
          savings.us(calls) + exceptions.sum { |exception| savings.exception_us(exception.depth) }
        end

        def message(place, calls, exceptions)
          "#{Prose.number(calls.size)} of #{Prose.some(place.calls[:unlink], "unlink")} fail, because the file had " \
            "just been renamed; #{Prose.some(exceptions.size, "exception")} for it"
        end
      end
    end
  end
end

# frozen_string_literal: true

require_relative "finder"
require_relative "questions"

module Frugal
  module Profile
    module Findings
      # Repeated digests of the same bytes, with nothing written in between: the first digest was known, and the program
      # only compares the two. PStore does this in each transaction that changes nothing.
      #
      # A digest is not a call of libc: the recorder reports it as a Call named `:digest`, with the number of bytes that
      # were digested and a hash of the digest as its result.
      class NeedlessDigest < Finder
        NAMES = %i[digest write writev pwrite].freeze
        ASSUMPTION = "the bytes are those that were digested before, and not equal ones from elsewhere"
        FIX = "Keep the digest of what was read, or compare the bytes themselves."
        private_constant :ASSUMPTION, :FIX

        # A digest, and the file that was read before it.
        Digested = Struct.new(:call, :source)
        private_constant :Digested

        # @param context [Context]
        def initialize(context)
          super
          @digests = Hash.new { |all, place| all[place] = [] }.compare_by_identity
        end

        # Called by the {Timeline}.
        def call(call, _node, actor, facts)
          return actor.wrote_at = call.finish unless call.name == :digest
          return if call.result.zero?

          previous = actor.digests[call.result]
          actor.digests[call.result] = Digested.new(call, actor.read)
          @digests[facts.place] << call if previous && needless?(previous, call, actor)
        end

        # @param claims [Claims]
        # @return [Array<Finding>]
        def findings(claims)
          @digests.map do |place, calls|
            finding(:needless_digest, place, calls, claims,
                    fix: FIX, fail_rate: nil, saved: savings.durations(calls), assumption: ASSUMPTION,
                    message: message(place, calls))
          end
        end

        private

        def needless?(previous, call, actor)
          previous.call.bytes == call.bytes && previous.source.equal?(actor.read) &&
            actor.wrote_at < previous.call.time && !actor.waited_since?(previous.call)
        end

        def message(place, calls)
          "#{Prose.number(calls.size)} of #{Prose.some(place.calls[:digest], "digest")} are of bytes whose digest " \
            "was known (#{Prose.some(calls.sum(&:bytes), "byte")}): nothing was read from another file or written " \
            "in between"
        end
      end
    end
  end
end

# frozen_string_literal: true

require_relative "recording"
require_relative "cost_model"
require_relative "origins"
require_relative "rescuers"
require_relative "findings/timeline"
require_relative "findings/unlink_after_rename"
require_relative "findings/load_path_misses"
require_relative "findings/repeated_listing"
require_relative "findings/serial_walk"
require_relative "findings/tiny_reads"
require_relative "findings/identical_rewrite"
require_relative "findings/repeated_realpath"
require_relative "findings/check_then_use"
require_relative "findings/redundant_call"
require_relative "findings/rescued_error"
require_relative "findings/needless_digest"
require_relative "findings/dropped_backtrace"
require_relative "findings/freshness_check"

module Frugal
  module Profile
    # Finds the waste in a recording, each piece with its proof.
    #
    #   analyzer = Frugal::Profile::Analyzer.new(recording, CostModel.calibrate)
    #   analyzer.findings.first.message
    #   # => "70,180 of 90,432 calls (stat) repeat one whose answer was known: nothing had changed in between, …"
    #
    # *Cost*: one pass over the calls, some microseconds each, at the first call of a method.
    class Analyzer
      # In the order of priority: a call that several kinds could count belongs to the first of them.
      KINDS = [Findings::UnlinkAfterRename, Findings::LoadPathMisses, Findings::RepeatedListing, Findings::SerialWalk,
               Findings::TinyReads, Findings::IdenticalRewrite, Findings::RepeatedRealpath, Findings::CheckThenUse,
               Findings::RedundantCall, Findings::RescuedError, Findings::NeedlessDigest, Findings::DroppedBacktrace,
               Findings::FreshnessCheck].freeze
      private_constant :KINDS

      # @param recording [Recording]
      # @param cost_model [CostModel]
      # @param origins [Origins] which lines are the program's
      def initialize(recording, cost_model, origins = Origins.new)
        @recording = recording
        @cost_model = cost_model
        @origins = origins
      end

      # @return [Array<Finding>] the largest saving first, then the freshness checks, which are not waste
      def findings
        analyze
        @findings
      end

      private

      def analyze
        return if @findings

        timeline = Findings::Timeline.new(@recording, @origins)
        questions = Findings::Questions.new(timeline.changes)
        finders = KINDS.map { |kind| kind.new(context(timeline, questions)) }
        timeline.run([questions, *finders])
        @findings = conclude(finders)
      end

      def context(timeline, questions)
        Findings::Context.new(recording: @recording, timeline: timeline, questions: questions, rescuers: rescuers,
                              savings: Findings::Savings.new(@cost_model), drop_ins: drop_ins)
      end

      def rescuers = @rescuers ||= Rescuers.new

      def drop_ins = @drop_ins ||= Findings::DropIns.new(@recording)

      def conclude(finders)
        claims = Findings::Claims.new
        found = finders.flat_map { |finder| finder.findings(claims) }
        found.sort_by { |finding| [finding.waste? ? 0 : 1, -finding.saved_us, -finding.count] }
      end
    end
  end
end

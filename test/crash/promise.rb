# frozen_string_literal: true

module Safety
  # What a subject promises, held against a campaign's result. Stock promises
  # nothing: what would break the promises of ours is then just counted.
  #
  # * always: a failing call or a kill between two calls leaves the old or the
  #   new store, and an error is told; at most one file is left over;
  # * ultra_safe besides: so does a power cut, and a kill at any moment; the latter
  #   alone does a Frugal::Store that is atomic;
  # * durable, besides: what was acknowledged is there after a power cut.
  class Promise
    PAGE = 4096 # bytes that a kill cannot tear

    def initialize(subject)
      @subject = subject
    end

    # @return [Hash{Symbol => Integer}] the counts that should be zero, and are not
    def broken_by(result)
      kinds(result).to_h { |kind| [kind, result.public_send(kind)] }.reject { |_, count| count.zero? }.merge(leftovers(result))
    end

    private

    def kinds(result)
      case result
      when StatesCampaign::Result
        %i[killed unusable] + (@subject.plain_file? ? [:otherwise] : []) + (@subject.survives_power_cuts? ? [:bad] : []) + (@subject.durable? ? [:lost] : [])
      when FaultsCampaign::Result then FaultsCampaign::KINDS - [:committed] # by a call after the store's own was done
      when StormsCampaign::Result then [:lost] + (@subject.survives_kills? || result.size < PAGE ? [:torn] : [])
      when FullDiskCampaign::Result then %i[destroyed lying]
      when CountingCampaign::Result then %i[lost unended wrong]
      when ReadersCampaign::Result then %i[torn behind backwards missing unended]
      when CorruptionCampaign::Result then %i[empty silent changed] + (result.control ? [:different] : [])
      end
    end

    def leftovers(result)
      allowed = result.is_a?(FullDiskCampaign::Result) ? 0 : 1
      names = result.members & %i[leftovers kept]
      names.to_h { |name| [name, result[name]] }.select { |_, count| count > allowed }
    end
  end
end

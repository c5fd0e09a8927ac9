# frozen_string_literal: true

module Safety
  # The guarantees of a subject, which the result of a campaign is checked against. Stock has no
  # guarantees: its violations are only counted.
  #
  # * always: after a failing call or a kill between two calls, the store is the old or the
  #   new one; a failure raises an error; at most one other file is left;
  # * ultra_safe: the same after a power cut, and after a kill at any moment; an atomic
  #   Frugal::Store only after such a kill;
  # * durable: also, acknowledged transactions are there after a power cut.
  class Guarantees
    PAGE = 4096 # bytes; a kill cannot tear a page

    def initialize(subject)
      @subject = subject
    end

    # @return [Hash{Symbol => Integer}] the counts that should be zero, but are not
    def violations(result)
      counts = kinds(result).to_h { |kind| [kind, result.public_send(kind)] }
      counts.reject { |_, count| count.zero? }.merge(leftovers(result))
    end

    private

    def kinds(result)
      case result
      when StatesCampaign::Result
        [:bad_after_kill, :unusable, (:read_differently if @subject.file_complete?),
         (:bad if @subject.survives_power_cuts?), (:lost if @subject.durable?)].compact
      when FaultsCampaign::Result
        FaultsCampaign::KINDS - [:committed] # a call may fail after the store was written
      when StormsCampaign::Result then [:lost] + (@subject.survives_kills? || result.size < PAGE ? [:torn] : [])
      when FullDiskCampaign::Result then %i[destroyed misreported]
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

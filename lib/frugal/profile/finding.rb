# frozen_string_literal: true

module Frugal
  module Profile
    # A piece of waste with its proof.
    #
    # kind:: Symbol, one of {KINDS}
    # file, line:: the line that makes the calls: String and Integer, or nil outside of Ruby
    # count:: Integer: how many calls or exceptions are superfluous
    # fail_rate:: Float 0–1: the share of the calls at that line that fail; nil if the share has no meaning
    # saved_us:: Float, microseconds that the fix saves, as the cost model predicts
    # confidence:: Float 0–1; a finding below {SHOWN} is not shown
    # message:: String: the proof in one phrase, such as "70,180 of 90,432 calls repeat one whose answer was known"
    # fix:: String: what to do, one sentence
    # drop_in:: Symbol or nil: the drop-in of frugal that removes the finding
    # examples:: Array<String>: up to three paths
    # groups:: Hash{String, nil => Integer} or nil: how many of the superfluous calls or exceptions were made for each
    #   route or file of examples; nil if the recording has no such groups
    Finding = Struct.new(:kind, :file, :line, :count, :fail_rate, :saved_us, :confidence, :message, :fix, :drop_in,
                         :examples, :groups, keyword_init: true) do
      # @return [Boolean]
      def shown? = confidence >= Finding::SHOWN

      # @return [String, nil] such as `/app/a.rb:12`
      def place = file && "#{file}:#{line}"
    end

    class Finding
      KINDS = %i[redundant_call check_then_use rescued_error identical_rewrite repeated_realpath serial_walk
                 needless_digest dropped_backtrace unlink_after_rename load_path_misses tiny_reads].freeze
      SHOWN = 0.5
    end
  end
end

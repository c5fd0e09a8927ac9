# frozen_string_literal: true

module Frugal
  module Profile
    # A piece of waste with its proof, or a freshness check, which is not waste.
    #
    # kind:: Symbol, one of {KINDS}
    # path:: Array<{Frame}>: the lines from the one whose author can act to the one that makes the calls. The first is
    #   the innermost line of the program, if it calls the code that makes the calls directly, or through one gem; else
    #   it is the innermost line of a gem
    # callers:: Array<{Frame}>: up to three lines of the program that called the gem, the most frequent one first; empty
    #   if `path` begins in the program
    # known_from:: {Frame} or nil: the line that most often had got the answer before, if it is another one
    # lines:: Integer, if the finding is about all lines that `require` files: their number; `path` is the one with the
    #   most calls. Else nil
    # count:: Integer: how many calls or exceptions are superfluous; 0 for those that only take too long
    # fail_rate:: Float 0–1: the share of the calls at that line that fail; nil if the share has no meaning
    # saved_us:: Float, microseconds that the fix saves, as the cost model predicts
    # saved_range_us:: Array(Float, Float): the interval of this prediction, see {Findings::Savings}
    # assumption:: String or nil: what has to be true, and the recording cannot show: "the answer of the check is not
    #   used for anything else"
    # message:: String: the proof in one phrase, such as "70,180 of 90,432 calls repeat one whose answer was known"
    # fix:: String: what to do, one sentence
    # drop_in:: Symbol or nil: the drop-in of frugal that removes the finding
    # examples:: Array<String>: up to three paths
    # calls:: Array<{Call}, {Raise}>: the superfluous ones; not in the reports
    # ignored:: String or nil: who accepts it, see {Ignoring}; such a finding is not counted as waste
    # groups:: Hash{String, nil => Integer} or nil: how many of the superfluous calls or exceptions were made for each
    #   route or file of examples; nil if the recording has no such groups
    Finding = Struct.new(:kind, :path, :callers, :known_from, :lines, :count, :fail_rate, :saved_us, :saved_range_us,
                         :assumption, :message, :fix, :drop_in, :examples, :calls, :groups, :ignored,
                         keyword_init: true) do
      # @return [String] the file of the line whose author can act
      def file = path.first.file

      # @return [Integer]
      def line = path.first.line

      # @return [Symbol] :proven, or :likely if there is an assumption
      def proof = assumption ? :likely : :proven

      # @return [Boolean]
      def waste? = kind != :freshness_check

      # @return [String] such as `/app/a.rb:12`
      def place = path.first.to_s
    end

    class Finding
      KINDS = %i[redundant_call check_then_use rescued_error identical_rewrite repeated_realpath serial_walk
                 needless_digest dropped_backtrace unlink_after_rename load_path_misses tiny_reads repeated_listing
                 freshness_check].freeze
    end
  end
end

# frozen_string_literal: true

require "tmpdir"
require_relative "side"
require_relative "comparer"

module RakeFuzz
  # Stock and drop-in, preloaded, in one working folder: judges one case.
  class Pair
    # verdict: :same, :wavers (stock differs from itself, and the drop-in's
    # answer is one of stock's, or as loose as stock's), :differs
    Judgement = Struct.new(:verdict, :stock, :dropin, :found)

    # How often a doubtful case is run again.
    AGAIN = 6

    attr_reader :stock, :dropin

    def initialize(rake:, engine: nil, plant: nil, control: false)
      @base = Dir.mktmpdir("rakefuzz")
      @stock = Side.new(:stock, rake: rake, base: @base)
      @dropin = control ? Side.new(:stock, rake: rake, base: @base) : Side.new(:dropin, rake: rake, base: @base, engine: engine, plant: plant)
      verify(engine) unless control
    end

    def close
      [@stock, @dropin].each(&:close)
      FileUtils.remove_entry(@base)
    end

    def judge(kase)
      stock = outcome(@stock, kase)
      dropin = outcome(@dropin, kase)
      found = Comparer.differences(stock, dropin)
      return Judgement.new(:same, stock, dropin, found) if found.empty?

      wavers?(kase, stock, dropin) ? Judgement.new(:wavers, stock, dropin, found) : Judgement.new(:differs, stock, dropin, found)
    end

    # @return [Array<Judgement>] of cases that share a process on either side;
    #   what differs there is judged again on its own
    def judge_all(cases)
      return cases.map { |kase| judge(kase) } if cases.size < 2

      stocks, dropins = [@stock, @dropin].map { |side| side.run_all(cases).zip(cases).map { |one, kase| Comparer.normalize(one, kase) } }
      cases.each_index.map do |at|
        found = Comparer.differences(stocks[at], dropins[at])
        found.empty? ? Judgement.new(:same, stocks[at], dropins[at], found) : judge(cases[at])
      end
    end

    private

    # A drop-in that is not on would make every comparison a vacuous one.
    def verify(engine)
      status = @dropin.hello.fetch(:dropin)
      on = status[:state] == "on" && (engine.nil? || status[:engine].to_s == engine)
      raise "the drop-in is not on: #{status.inspect}" unless on
    end

    def outcome(side, kase) = Comparer.normalize(side.run(kase), kase)

    def wavers?(kase, stock, dropin)
      stocks = [stock] + Array.new(kase.threaded? ? AGAIN : 2) { outcome(@stock, kase) }
      return true if stocks.include?(dropin)
      return false if stocks.uniq.size == 1 && !kase.threaded?

      dropins = [dropin] + Array.new(AGAIN) { outcome(@dropin, kase) }
      return dropins.all? { |one| stocks.include?(one) } if stocks.uniq.size == 1

      loose = stocks.map { |one| Comparer.loosen(one) }
      dropins.any? { |one| stocks.include?(one) } || dropins.any? { |one| loose.include?(Comparer.loosen(one)) }
    end
  end
end

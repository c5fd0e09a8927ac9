# frozen_string_literal: true

require "tmpdir"
require_relative "side"
require_relative "comparer"

module RakeFuzz
  # Stock Rake and the drop-in, both preloaded, in one working folder. Judges cases.
  class Pair
    # +verdict+ is one of
    # - +:same+
    # - +:unstable+: stock differs from itself, and the drop-in gives one of stock's outcomes, apart from the order
    # - +:undecided+: stock differs from itself in more than the order, or the drop-in differs only sometimes
    # - +:exhausted+: stock ran out of stack, and the size of frames decides when
    # - +:differs+
    Judgement = Struct.new(:verdict, :stock, :dropin, :found)

    # Each case makes and removes a tree, which takes a tenth of the time in memory.
    MEMORY = ["/dev/shm"].find { |folder| File.directory?(folder) && File.writable?(folder) }

    # How often a case that differs is run again.
    REPEATS = 6
    # How often, at most, stock is run with its threads shaken, where nothing else explains a difference.
    SHAKES = 60

    attr_reader :stock, :dropin

    # @param rake [String] folder of an unpacked rake gem
    # @param mutant [String, nil] a file of mutants/, without its extension, that breaks the drop-in
    # @param control [Boolean] compare stock to stock
    # @param ruby [Hash] `ruby:` of {Side}
    def initialize(rake:, engine: nil, mutant: nil, control: false, **ruby)
      @base = Dir.mktmpdir("rakefuzz", MEMORY)
      @stock = Side.new(:stock, rake: rake, base: @base, **ruby)
      if control
        @dropin = Side.new(:stock, rake: rake, base: @base, **ruby)
      else
        @dropin = Side.new(:dropin, rake: rake, base: @base, engine: engine, mutant: mutant, **ruby)
        verify(engine)
      end
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

      Judgement.new(exhausted?(stock) ? :exhausted : second_verdict(kase, stock, dropin), stock, dropin, found)
    end

    # Judges cases that share a process on either side. A case that differs is judged again
    # in a process of its own.
    #
    # @return [Array<Judgement>]
    def judge_all(cases)
      return cases.map { |kase| judge(kase) } if cases.size < 2

      stocks, dropins = [@stock, @dropin].map do |side|
        side.run_all(cases).zip(cases).map { |one, kase| Comparer.normalize(one, kase) }
      end
      cases.each_index.map do |at|
        found = Comparer.differences(stocks[at], dropins[at])
        found.empty? ? Judgement.new(:same, stocks[at], dropins[at], found) : judge(cases[at])
      end
    end

    private

    # Without the drop-in, every comparison would be of stock with stock.
    def verify(engine)
      status = @dropin.hello.fetch(:dropin)
      on = status[:state] == "on" && (engine.nil? || status[:engine].to_s == engine)
      raise "the drop-in is not on: #{status.inspect}" unless on
    end

    def exhausted?(outcome)
      message = "stack level too deep"
      outcome[:stderr].include?(message) || outcome[:journal]&.any? { |event| event.include?(message) }
    end

    def outcome(side, kase, **how) = Comparer.normalize(side.run(kase, **how), kase)

    def outcomes(side, kase, count) = Array.new(count) { outcome(side, kase) }

    # Runs a case that differs again, since threads race: stock must run often enough to
    # show all of its outcomes.
    def second_verdict(kase, stock, dropin)
      stocks = [stock, *outcomes(@stock, kase, kase.threaded? ? REPEATS : 2)]
      return :unstable if stocks.include?(dropin)
      return :differs unless kase.threaded? || stocks.uniq.size > 1

      stocks.concat(outcomes(@stock, kase, REPEATS))
      dropins = [dropin, *outcomes(@dropin, kase, REPEATS)]
      verdict_without_order(kase, *[stocks, dropins].map { |all| all.map { |one| Comparer.loosen(one) } })
    end

    def verdict_without_order(kase, stocks, dropins)
      unknown = dropins.reject { |one| stocks.include?(one) }
      return :unstable if unknown.empty?
      return :undecided if stocks.uniq.size > 1 || unknown.size < REPEATS

      kase.threaded? && shaken_stock?(kase, unknown.uniq) ? :unstable : :differs
    end

    # Whether stock has all of these outcomes, too, when its threads run in another order.
    # The drop-in makes fewer system calls, so one thread may always be the first with it,
    # and another one with stock.
    def shaken_stock?(kase, outcomes)
      SHAKES.times do |seed|
        outcomes -= [Comparer.loosen(outcome(@stock, kase, shaken: seed))]
        return true if outcomes.empty?
      end
      false
    end
  end
end

# frozen_string_literal: true

require "tmpdir"
require_relative "side"
require_relative "comparer"

module RakeFuzz
  # Stock and drop-in, preloaded, in one working folder: judges one case.
  class Pair
    # verdict: :same; :wavers, where stock differs from itself and the drop-in
    # answers as stock does but for the order; :undecided, where stock differs from
    # itself in more than that, or the drop-in differs now and then; :exhausted, where stock ran out of stack, and the
    # size of frames decides when; :differs
    Judgement = Struct.new(:verdict, :stock, :dropin, :found)

    # Trees are made and removed all the time: in memory that costs a tenth.
    MEMORY = ["/dev/shm"].find { |folder| File.directory?(folder) && File.writable?(folder) }

    # How often a doubtful case is run again.
    AGAIN = 6
    # How often stock is run with its threads shaken, at most, where nothing else explains a difference.
    SHAKEN = 60

    attr_reader :stock, :dropin

    def initialize(rake:, engine: nil, plant: nil, control: false)
      @base = Dir.mktmpdir("rakefuzz", MEMORY)
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

      Judgement.new(exhausted?(stock) ? :exhausted : doubt(kase, stock, dropin), stock, dropin, found)
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

    def exhausted?(outcome)
      outcome[:stderr].include?("stack level too deep") || outcome[:journal]&.any? { |event| event.include?("stack level too deep") }
    end

    def outcome(side, kase, **how) = Comparer.normalize(side.run(kase, **how), kase)

    # Threads race: stock runs often enough to show what it can answer.
    def doubt(kase, stock, dropin)
      stocks = [stock] + Array.new(kase.threaded? ? AGAIN : 2) { outcome(@stock, kase) }
      return :wavers if stocks.include?(dropin)
      return :differs unless kase.threaded? || stocks.uniq.size > 1

      stocks.concat(Array.new(AGAIN) { outcome(@stock, kase) })
      loose = stocks.map { |one| Comparer.loosen(one) }.uniq
      dropins = [dropin] + Array.new(AGAIN) { outcome(@dropin, kase) }
      strange = dropins.count { |one| !loose.include?(Comparer.loosen(one)) }
      return :wavers if strange.zero?
      return :undecided if loose.size > 1 || strange < AGAIN

      kase.threaded? && shaken_stock?(kase, dropins.map { |one| Comparer.loosen(one) }.uniq - loose) ? :wavers : :differs
    end

    # Whether stock answers all of that, too, once its threads take turns in another
    # order. The drop-in asks fewer questions of the system, so the same thread may
    # always win with it, and another one with stock.
    def shaken_stock?(kase, outcomes)
      SHAKEN.times do |seed|
        outcomes -= [Comparer.loosen(outcome(@stock, kase, shaken: seed))]
        return true if outcomes.empty?
      end
      false
    end
  end
end

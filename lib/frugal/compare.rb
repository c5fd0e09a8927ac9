# frozen_string_literal: true

require "tmpdir"
require_relative "error"
require_relative "dropin"
require_relative "compare/statistics"
require_relative "compare/units"
require_relative "compare/side"
require_relative "compare/runner"
require_relative "compare/failure"
require_relative "compare/difference"
require_relative "compare/refusal"
require_relative "compare/counts"
require_relative "compare/system_calls"
require_relative "compare/counting"
require_relative "compare/result"
require_relative "compare/verdict"
require_relative "compare/warnings"

module Frugal
  # Runs a command stock and under +frugal run+ alternately, and says what
  # frugal changed.
  #
  #   result = Frugal::Compare.new(["rake", "-s"], pairs: 5).run
  #   Frugal::Compare::Verdict.new(result).to_s
  #   # => "frugal makes it 6.1× faster (2.70 s → 0.44 s), 451,154 → 100,320 system calls"
  #
  # The order is stock, frugal, frugal, stock: a drift of the machine meets both
  # sides alike. Counting comes after the timed runs, in runs of its own. Where
  # output or exit status differ, or the command fails, there is nothing to compare,
  # and the result says why.
  #
  # *Cost*: 2 × (warm-up + pairs + 2) runs of the command.
  class Compare
    # The command cannot be started; +status+ is the shell's: 127 or 126.
    class CommandError < Error
      attr_reader :status

      def initialize(message, status)
        super(message)
        @status = status
      end
    end

    DEFAULTS = { pairs: nil, warmup: 1, prepare: nil, only: nil, except: nil, counts: true,
                 system_calls: true, ignore_output: false, ignore_failure: false }.freeze
    PAIRS = 5
    LONG = 1.0 # seconds
    PAIRS_OF_LONG = 3
    private_constant :PAIRS, :LONG, :PAIRS_OF_LONG

    # @param command [Array<String>] program and arguments; no shell reads them
    # @param options [Hash] those of {DEFAULTS}: +pairs+ (≥ 1; nil: 5, or 3 where a run takes over a second),
    #   +warmup+ (pairs that do not count), +prepare+ (a shell command before each run, untimed),
    #   +only+ and +except+ (as +frugal run+ takes them), +counts+, +system_calls+,
    #   +ignore_output+, +ignore_failure+
    def initialize(command, **options)
      unknown = options.keys - DEFAULTS.keys
      raise UsageError, "unknown option: #{unknown.first}" if unknown.any?

      check_names(options[:only], options[:except])
      @command = command
      @options = DEFAULTS.merge(options)
      @sides = [Side.stock(command), Side.frugal(command, launcher_options)]
    end

    # @param estimate [#call, nil] is called once with what is to come, in seconds
    # @param timed [#call, nil] is called with the result before anything is counted
    # @yieldparam step [String] what happens next, for a line of progress
    # @return [Result] interrupted, if that happened after the first pair
    # @raise [CommandError] when the command cannot be started
    # @raise [Error] when the preparation fails
    # @raise [Interrupt] before there is anything to say
    def run(estimate: nil, timed: nil, &progress)
      @progress = progress || ->(_) {}
      @estimate = estimate
      @result = Result.new(command: @command, options: @options, pairs: [], planned: @options[:pairs],
                           load: load_average, started_at: Time.now)
      Dir.mktmpdir("frugal-compare-") do |directory|
        @directory = directory
        @runner = Runner.new(directory, prepare: @options[:prepare])
        @witness = Witness.new(output: !@options[:ignore_output])
        count(timed) if warm_up && time && @options[:counts]
      end
      @result
    rescue Interrupt
      raise if @result.pairs.empty?

      @result.tap { |result| result.interrupted = true }
    end

    private

    # The launcher would refuse a wrong name too, but only after stock has run.
    def check_names(*lists)
      unknown = lists.compact.flat_map { |names| names.b.split(",") } - Dropin::CATALOGUE.keys.map(&:to_s)
      return if unknown.empty?

      raise UsageError, "no drop-in is called #{unknown.first}; there is #{Dropin::CATALOGUE.keys.join(", ")}"
    end

    def launcher_options
      @options.slice(:only, :except).compact.flat_map { |name, value| ["--#{name}", value] }
    end

    # Frugal's runs note which drop-ins are on, which nothing else tells before the counts.
    #
    # @return [Boolean] false where the command fails
    def warm_up
      @options[:warmup].times do |index|
        pair = pair(index, "warm-up", Counts.environment(noted = File.join(@directory, "warm-up.#{index}")))
        return false unless pair

        @result.noted = Counts.read(noted)&.dropins
        plan(pair)
        pair.each_value(&:discard)
      end
      true
    end

    # Says once how long all will take.
    def plan(pair)
      @result.planned ||= pair.each_value.any? { |run| run.wall > LONG } ? PAIRS_OF_LONG : PAIRS
      counting = [@options[:counts], @options[:counts] && @options[:system_calls]].count(true)
      @estimate&.call(pair.each_value.sum(&:wall) * (@result.planned + counting))
      @estimate = nil
    end

    # @return [Boolean] whether all pairs could be compared
    def time
      index = 0
      until index == (@result.planned || 1)
        timed = pair(index, @result.planned ? "pair #{index + 1} of #{@result.planned}" : "pair 1") or return false
        return false unless comparable?(timed)

        plan(timed)
        @result.pairs << timed
        index += 1
      end
      true
    end

    def comparable?(timed)
      @result.refusal = @witness.examine(timed) { Array.new(2) { sample(@sides.first, "stock again") } }
      return false if @result.refusal

      @result.ending = @witness.reference.ending
      timed.each_value { |run| run.discard unless @witness.reference?(run) }
      true
    end

    # @param note [Hash] what frugal's run has in its environment
    # @return [Hash, nil] nil where stock fails
    def pair(index, step, note = {})
      order = index.even? ? @sides : @sides.reverse
      order.to_h do |side|
        run = sample(side, step, env: side.name == :frugal ? note : {})
        return if side.name == :stock && failed?(run)

        [side.name, run]
      end
    end

    def failed?(run)
      return false if @options[:ignore_failure] || run.status.success?

      @result.failure = Failure.of(run)
      true
    end

    def sample(side, step, prefix: [], env: {}, limit: nil)
      @progress.call("#{step}, #{side.name}")
      @runner.run([*prefix, *side.argv], env: env, limit: limit)
    end

    # Counting takes no longer than the timing did.
    def count(timed)
      timed&.call(@result)
      limit = [@result.pairs.sum { |pair| pair.each_value.sum(&:wall) }, Counting::LEAST].max
      counting = Counting.new(@directory, @result.ending) do |side, step, prefix, env|
        sample(side, step, prefix: prefix, env: env, limit: limit)
      end
      @result.counts, @result.uncounted = counting.objects(@sides)
      @result.system_calls, @result.untraced = counting.system_calls(@sides) if @options[:system_calls]
    end

    def load_average
      File.read("/proc/loadavg").to_f if File.exist?("/proc/loadavg")
    end
  end
end

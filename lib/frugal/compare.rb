# frozen_string_literal: true

require "tmpdir"
require_relative "error"
require_relative "dropin"
require_relative "compare/statistics"
require_relative "readable"
require_relative "compare/side"
require_relative "compare/runner"
require_relative "compare/failure"
require_relative "compare/difference"
require_relative "compare/pair_check"
require_relative "compare/counts"
require_relative "compare/file_calls"
require_relative "compare/counting"
require_relative "compare/result"
require_relative "compare/verdict"
require_relative "compare/warnings"

module Frugal
  # Runs a command without frugal ("stock") and under `frugal run`, alternately,
  # and measures the difference.
  #
  #   result = Frugal::Compare.new(["rake", "-s"], pairs: 5).run
  #   Frugal::Compare::Verdict.new(result).to_s
  #   # => "frugal makes it 6.1× faster (2.70 s → 0.44 s), 90,432 → 20,251 file calls"
  #
  # The order is stock, frugal, frugal, stock, so that a drift of the machine's speed
  # affects both sides equally. The counts come from separate runs after the timed ones.
  # If the output or the exit status differs, or the command fails, nothing is compared,
  # and the result holds the reason.
  #
  # *Cost*: 2 × (warm-up + pairs + 2) runs of the command.
  class Compare
    # The options of {#initialize}, and their defaults.
    DEFAULTS = { pairs: nil, warmup: 1, prepare: nil, only: nil, except: nil, counts: true,
                 file_calls: true, ignore_output: false, ignore_failure: false }.freeze
    PAIRS = 5
    LONG_RUN = 1.0 # seconds
    PAIRS_OF_LONG_RUNS = 3
    private_constant :PAIRS, :LONG_RUN, :PAIRS_OF_LONG_RUNS

    # @param command [Array<String>] program and arguments; they are not passed through a shell
    # @param options [Hash] the keys of {DEFAULTS}: `pairs` (≥ 1; nil: 5, or 3 if a run takes over a second),
    #   `warmup` (pairs that do not count), `prepare` (a shell command before each run, untimed),
    #   `only` and `except` (as for `frugal run`), `counts`, `file_calls`,
    #   `ignore_output`, `ignore_failure`
    def initialize(command, **options)
      unknown = options.keys - DEFAULTS.keys
      raise UsageError, "unknown option: #{unknown.first}" if unknown.any?

      check_names(options[:only], options[:except])
      @command = command
      @options = DEFAULTS.merge(options)
      @sides = [Side.stock(command), Side.frugal(command, launcher_options)]
    end

    # @param estimate [#call, nil] called once with the estimated time of the remaining runs, in seconds
    # @param timed [#call, nil] called with the result after the timed runs, before the counting runs
    # @yieldparam step [String] the next step, for a line of progress
    # @return [Result] marked as interrupted if Ctrl-C came after the first pair
    # @raise [CommandError] if the command cannot be started
    # @raise [Error] if the preparation fails
    # @raise [Interrupt] if Ctrl-C comes before the first pair is complete
    def run(estimate: nil, timed: nil, &progress)
      @progress = progress || ->(_) {}
      @estimate = estimate
      @result = Result.new(command: @command, options: @options, pairs: [], planned: @options[:pairs],
                           load: load_average, started_at: Time.now)
      Dir.mktmpdir("frugal-compare-") do |directory|
        @directory = directory
        @runner = Runner.new(directory, prepare: @options[:prepare])
        @pair_check = PairCheck.new(output: !@options[:ignore_output])
        count(timed) if warm_up && time && @options[:counts]
      end
      @result
    rescue Interrupt
      raise if @result.pairs.empty?

      @result.tap { |result| result.interrupted = true }
    end

    private

    # Checks the names before the first run: the launcher also rejects a wrong name, but stock runs first.
    def check_names(*lists)
      unknown = lists.compact.flat_map { |names| names.b.split(",") } - Dropin::CATALOGUE.keys.map(&:to_s)
      return if unknown.empty?

      raise UsageError, "unknown drop-in: #{unknown.first} (available: #{Dropin::CATALOGUE.keys.join(", ")})"
    end

    def launcher_options
      @options.slice(:only, :except).compact.flat_map { |name, value| ["--#{name}", value] }
    end

    # The warm-up runs of frugal also record which drop-ins are on, because the report
    # needs that even when the counting runs are skipped.
    #
    # @return [Boolean] false if the command fails
    def warm_up
      @options[:warmup].times do |index|
        counts_path = File.join(@directory, "warm-up.#{index}")
        pair = pair(index, "warm-up", Counts.environment(counts_path)) or return false

        @result.warmup_dropins = Counts.read(counts_path)&.dropins
        plan(pair)
        pair.each_value(&:discard)
      end
      true
    end

    # Decides the number of pairs and reports the estimated time, once.
    def plan(pair)
      @result.planned ||= pair.each_value.any? { |run| run.wall > LONG_RUN } ? PAIRS_OF_LONG_RUNS : PAIRS
      counting = [@options[:counts], @options[:counts] && @options[:file_calls]].count(true)
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
      @result.refusal = @pair_check.refusal(timed) { Array.new(2) { sample(@sides.first, "stock again") } }
      return false if @result.refusal

      @result.ending = @pair_check.reference.ending
      timed.each_value { |run| run.discard unless @pair_check.reference?(run) }
      true
    end

    # @param frugal_env [Hash] environment variables for the run of frugal only
    # @return [Hash, nil] nil if stock fails
    def pair(index, step, frugal_env = {})
      order = index.even? ? @sides : @sides.reverse
      order.to_h do |side|
        run = sample(side, step, env: side.name == :frugal ? frugal_env : {})
        return if side.name == :stock && failed?(run)

        [side.name, run]
      end
    end

    def failed?(run)
      return false if @options[:ignore_failure] || run.status.success?

      @result.failure = Failure.of(run)
      true
    end

    def sample(side, step, env: {}, limit: nil)
      @progress.call("#{step}, #{side.name}")
      @runner.run(side.argv, env: env, limit: limit)
    end

    # A counting run is stopped if it takes longer than all timed runs together (at least MIN_LIMIT).
    def count(timed)
      timed&.call(@result)
      limit = [@result.pairs.sum { |pair| pair.each_value.sum(&:wall) }, Counting::MIN_LIMIT].max
      counting = Counting.new(@directory, @result.ending) do |side, step, env|
        sample(side, step, env: env, limit: limit)
      end
      @result.counts, @result.no_counts_reason = counting.objects(@sides)
      return unless @options[:file_calls]

      @result.file_calls, @result.no_file_calls_reason = counting.file_calls(@sides)
    end

    def load_average
      File.read("/proc/loadavg").to_f if File.exist?("/proc/loadavg")
    end
  end
end

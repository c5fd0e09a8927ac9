# frozen_string_literal: true

require "tmpdir"
require_relative "error"
require_relative "dropin"
require_relative "compare/statistics"
require_relative "compare/units"
require_relative "compare/side"
require_relative "compare/runner"
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
  # output or exit status differ there is nothing to compare, and the result
  # says why.
  #
  # **Cost** 2 × (warm-up + pairs + 2) runs of the command.
  class Compare
    # The command cannot be started; +status+ is the shell's: 127 or 126.
    class CommandError < Error
      attr_reader :status

      def initialize(message, status)
        super(message)
        @status = status
      end
    end

    DEFAULTS = { pairs: 5, warmup: 1, prepare: nil, only: nil, except: nil,
                 system_calls: true, ignore_output: false }.freeze

    # @param command [Array<String>] program and arguments; no shell reads them
    # @param options [Hash] those of {DEFAULTS}: +pairs+ (≥ 1), +warmup+ (pairs
    #   that do not count), +prepare+ (a shell command before each run, untimed),
    #   +only+ and +except+ (as +frugal run+ takes them), +system_calls+,
    #   +ignore_output+
    def initialize(command, **options)
      unknown = options.keys - DEFAULTS.keys
      raise UsageError, "unknown option: #{unknown.first}" if unknown.any?

      check_names(options[:only], options[:except])
      @command = command
      @options = DEFAULTS.merge(options)
      @sides = [Side.stock(command), Side.frugal(command, launcher_options)]
    end

    # @yieldparam step [String] what happens next, for a line of progress
    # @return [Result]
    # @raise [CommandError] when the command cannot be started
    # @raise [Error] when the preparation fails
    def run(&progress)
      @progress = progress || ->(_) {}
      @result = Result.new(command: @command, options: @options, pairs: [], load: load_average, started_at: Time.now)
      Dir.mktmpdir("frugal-compare-") do |directory|
        @directory = directory
        @runner = Runner.new(directory, prepare: @options[:prepare])
        @witness = Witness.new(output: !@options[:ignore_output])
        warm_up
        count if time
      end
      @result
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

    def warm_up
      @options[:warmup].times { |index| pair(index, "warm-up").each_value(&:discard) }
    end

    # @return [Boolean] whether all pairs could be compared
    def time
      @options[:pairs].times do |index|
        timed = pair(index, "pair #{index + 1} of #{@options[:pairs]}")
        @result.refusal = @witness.examine(timed) { Array.new(2) { sample(@sides.first, "stock again") } }
        return false if @result.refusal

        timed.each_value { |run| run.discard unless @witness.reference?(run) }
        @result.pairs << timed
      end
      @result.ending = @witness.reference.ending
      true
    end

    def pair(index, step)
      order = index.even? ? @sides : @sides.reverse
      order.to_h { |side| [side.name, sample(side, step)] }
    end

    def sample(side, step, prefix: [], env: {})
      @progress.call("#{step}, #{side.name}")
      @runner.run([*prefix, *side.argv], env: env)
    end

    def count
      counting = Counting.new(@directory, @result.ending) do |side, step, prefix, env|
        sample(side, step, prefix: prefix, env: env)
      end
      @result.counts, @result.uncounted = counting.objects(@sides)
      @result.system_calls, @result.untraced = counting.system_calls(@sides) if @options[:system_calls]
    end

    def load_average
      File.read("/proc/loadavg").to_f if File.exist?("/proc/loadavg")
    end
  end
end

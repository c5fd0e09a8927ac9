# frozen_string_literal: true

require_relative "results"
require_relative "system_calls"

module Frugal
  module Bench
    # The measurements of one command on both sides. `calls` is a pair of counts (stock, frugal), or nil without strace;
    # `cpu` are pairs of seconds, by round.
    class Pair < Row
      # @return [Array(Integer, Integer), nil]
      attr_accessor :calls
      # @return [Array<Array(Float, Float)>]
      attr_reader :cpu

      def initialize(subject)
        super(subject, subject.name)
        @cpu = []
      end

      # @return [Compare::Statistics::Ratio, nil] stock ÷ frugal
      def ratio = (Compare::Statistics.ratio(cpu.map(&:first), cpu.map(&:last)) if cpu.any?)

      # @return [Array<Float>] the medians of stock and frugal
      def seconds = cpu.transpose.map { |side| Compare::Statistics.median(side) }

      # @return [Integer, nil] system calls that frugal adds
      def added_calls = (calls.last - calls.first if calls)

      # @return [Integer, nil] µs of processor time that frugal adds: the median of the rounds
      def added_cpu
        (Compare::Statistics.median(cpu.map { |stock, ours| ours - stock }) * 1_000_000).round unless cpu.empty?
      end
    end

    # Runs a command stock and under `frugal run`, alternately. A {Run} that includes it has a `@runner`.
    module Sides
      # A program has not ended as it should.
      class Failed < Error; end

      private

      # @param row [Pair]
      # @param command [Array<String>]
      # @param ending [String] how it should end
      # @param count [Boolean] whether to count system calls
      # @yield before each run
      def compare(row, command, env = {}, ending: "exit status 0", count: true, &prepare)
        sides = [Compare::Side.stock(command), Compare::Side.frugal(command)]
        run = lambda do |argv|
          prepare&.call
          sample(argv, env, ending)
        end
        row.calls = sides.map { |side| calls(side, row, run) } if count
        number = quick? ? 1 : @options[:rounds]
        (0..number).each do |round|
          @progress.call("#{row.subject}, round #{round} of #{number}")
          times = rotate(sides, round).to_h { |side| [side.name, run.call(side.argv).cpu] }
          row.cpu << times.values_at(:stock, :frugal) unless round.zero? # the warm-up
        end
      end

      # Runs without address space randomisation (setarch -R), because the start of the heap decides whether there is
      # one brk(2) more.
      def calls(side, row, run)
        @progress.call("#{row.subject}, counting, #{side.name}")
        table = File.join(@folder, "table")
        run.call(["setarch", "-R", *SystemCalls.prefix(table), *side.argv])
        SystemCalls.parse(File.read(table)).total
      end

      # @return [Compare::Sample]
      # @raise [Failed]
      def sample(argv, env = {}, ending = "exit status 0")
        @runner.run(argv, env: env).tap do |sample|
          failed(argv, sample) unless sample.ending == ending
          sample.discard
        end
      end

      def failed(argv, sample)
        said = File.read(sample.stderr).scrub.lines(chomp: true).first(2)
        raise Failed, ["#{argv.last(3).join(" ")} ended with #{sample.ending}", *said].join(": ")
      end
    end
  end
end

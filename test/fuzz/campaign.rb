# frozen_string_literal: true

require_relative "generator"
require_relative "pair"
require_relative "minimizer"
require_relative "census"

module RakeFuzz
  # Many cases over several forked jobs, each with its own pair of servers.
  class Campaign
    Difference = Struct.new(:number, :case, :minimal, :judgement)
    # Cases generated at a time.
    BATCH = 24

    Result = Struct.new(:cases, :census, :differences, :seconds, keyword_init: true)

    # @param seed [Integer] case K of a seed is the same whatever the jobs
    # @param numbers [Enumerable<Integer>] the cases to run
    # @param limit [Integer] differences after which a job stops
    def initialize(seed:, numbers:, jobs: 2, limit: 1, minimize: true, **pair)
      @seed = seed
      @numbers = numbers.to_a
      @jobs = jobs.clamp(1, [@numbers.size, 1].max)
      @limit = limit
      @minimize = minimize
      @pair = pair
    end

    def run
      started = clock
      results = Array.new(@jobs) { |job| start(job) }.map { |reader, pid| finish(reader, pid) }
      Result.new(cases: results.sum { |one| one[:cases] }, seconds: clock - started,
        census: results.map { |one| one[:census] }.inject { |one, two| one.merge(two) },
        differences: results.flat_map { |one| one[:differences] }.sort_by(&:number))
    end

    private

    def clock = Process.clock_gettime(Process::CLOCK_MONOTONIC)

    def start(job)
      reader, writer = IO.pipe(binmode: true)
      pid = fork do
        reader.close
        writer.write(Marshal.dump(work(@numbers.select.with_index { |_, index| index % @jobs == job })))
        writer.close
        exit!(0)
      end
      writer.close
      [reader, pid]
    end

    def finish(reader, pid)
      bytes = reader.read
      Process.wait(pid)
      raise "a fuzzing job died: #{$?}" if bytes.empty?

      Marshal.load(bytes)
    end

    def work(numbers)
      pair = Pair.new(**@pair)
      census = Census.new
      differences = []
      ran = 0
      numbers.each_slice(BATCH) do |slice|
        cases = slice.to_h { |number| [number, Generator.new(@seed, number).call] }
        judge(pair, cases) do |number, judgement|
          ran += 1
          census.add(cases[number], judgement)
          differences << difference(pair, number, cases[number], judgement) if judgement.verdict == :differs && differences.size < @limit
        end
        break if differences.size >= @limit
      end
      { cases: ran, census: census, differences: differences }
    ensure
      pair&.close
    end

    # Cases that leave nothing behind share processes: forks are what costs.
    def judge(pair, cases, &block)
      alone, together = cases.partition { |_, kase| kase.isolated? }
      alone.each { |number, kase| block.call(number, pair.judge(kase)) }
      together.map(&:first).zip(pair.judge_all(together.map(&:last))).each(&block)
    end

    # The minimal case must differ in a field that the full one differs in, so
    # that minimizing does not wander off to another difference.
    def difference(pair, number, kase, judgement)
      fields = judgement.found.keys
      minimal = kase
      if @minimize
        minimal = Minimizer.new(kase) { |one|
          again = pair.judge(one)
          again.verdict == :differs && (again.found.keys & fields).any?
        }.call
        judgement = pair.judge(minimal)
      end
      Difference.new(number, kase, minimal, judgement)
    end
  end
end

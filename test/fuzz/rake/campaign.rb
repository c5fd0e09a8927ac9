# frozen_string_literal: true

require_relative "generator"
require_relative "pair"
require_relative "minimizer"
require_relative "census"

module RakeFuzz
  # Runs many cases in several forked jobs, each with its own pair of servers.
  class Campaign
    Difference = Struct.new(:number, :case, :minimal, :judgement)
    # Cases that are generated at a time.
    BATCH = 24

    Result = Struct.new(:cases, :census, :differences, :seconds, keyword_init: true)

    # @param seed [Integer] case K of a seed is the same for any number of jobs
    # @param numbers [Enumerable<Integer>] the cases to run
    # @param limit [Integer] differences after which a job stops
    # @param pair [Hash] the arguments of {Pair}
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
      result = { cases: 0, census: Census.new, differences: [] }
      numbers.each_slice(BATCH) do |slice|
        run_batch(pair, slice, result)
        break if result[:differences].size >= @limit
      end
      result
    ensure
      pair&.close
    end

    def run_batch(pair, numbers, result)
      cases = numbers.to_h { |number| [number, Generator.new(@seed, number).call] }
      cases.reject! { |_, kase| kase.isolated? } if @pair[:ruby] # JRuby cannot fork a process for each
      judge(pair, cases) do |number, judgement|
        result[:cases] += 1
        result[:census].add(cases[number], judgement)
        next unless judgement.verdict == :differs && result[:differences].size < @limit

        result[:differences] << difference(pair, number, cases[number], judgement)
      end
    end

    # Cases that leave no state behind share processes, since forks take most of the time.
    def judge(pair, cases, &block)
      alone, together = cases.partition { |_, kase| kase.isolated? }
      alone.each { |number, kase| block.call(number, pair.judge(kase)) }
      together.map(&:first).zip(pair.judge_all(together.map(&:last))).each(&block)
    end

    # The minimal case must differ in a field in which the full one differs, or the
    # minimizer could end at another difference.
    def difference(pair, number, kase, judgement)
      return Difference.new(number, kase, kase, judgement) unless @minimize

      fields = judgement.found.keys
      minimal = Minimizer.new(kase) do |candidate|
        again = pair.judge(candidate)
        again.verdict == :differs && again.found.keys.intersect?(fields)
      end.call
      last = pair.judge(minimal)
      # A difference that depends on the time may not come again.
      last.verdict == :differs ? Difference.new(number, kase, minimal, last) : Difference.new(number, kase, kase, judgement)
    end
  end
end

# frozen_string_literal: true

require_relative "cases"
require_relative "measured_report"
require_relative "results"
require_relative "../support/run"
require_relative "../../lib/frugal/profile"

module Frugal
  module ProfileBench
    # Runs the programs.
    class Benchmark < Bench::Run
      private

      def measure_all
        Profile::Run.library # raises where there is no recorder
        @runner = Compare::Runner.new(@folder)
        @strace = Bench::SystemCalls.unavailable(@folder).nil?
        @notes << "strace is not available" unless @strace
        possible(Cases::OVERHEADS) { |one| measure_overhead(one) }
        measure_report if @options[:only].include?(Cases::REPORT)
        possible(Cases::PREDICTIONS) { |one| measure_prediction(one) }
      end

      # Rounds 1 … are timed, round 0 is the warm-up.
      def timed = quick? ? 1 : @options[:rounds]

      # Each program has a folder of its own, in which it runs.
      def possible(cases)
        chosen(cases).each do |one|
          reason = Cases.missing(one)
          next @notes << "#{one.name} was not measured: #{reason}" if reason

          in_own_folder(one) { yield one }
        end
      end

      def in_own_folder(one)
        folder = File.join(@folder, one.name)
        Dir.mkdir(folder)
        Dir.chdir(folder) do
          sample(one, "prepare")
          yield
        end
      end

      def measure_overhead(one)
        row = @results.add(one, [Overhead.new(one)]).first
        sides = %i[plain recorder]
        sides << :strace if @strace
        (0..timed).each do |round|
          samples = rotate(sides, round).to_h { |side| [side, __send__(side, one, round)] }
          row.add(samples) if round.positive?
        end
      end

      def plain(one, round) = sample(one, "stock", step: "plain, round #{round}")

      def recorder(one, round)
        recording_in do |folder|
          sample(one, "stock", step: "recorder, round #{round}", env: Profile::Run.environment(folder))
        end
      end

      # Once is enough: it takes several times as long.
      def strace(one, round)
        sample(one, "stock", prefix: %w[strace -f -c -o] + [File::NULL], step: "strace") if round == 1
      end

      def recording_in
        folder = Dir.mktmpdir("recording-", @folder)
        yield folder
      ensure
        FileUtils.remove_entry(folder)
      end

      def measure_report
        one = Cases::OVERHEADS.find { |overhead| overhead.name == "exist" }
        in_own_folder(one.dup.tap { |copy| copy.name = "report" }) do
          recording_in do |folder|
            sample(one, "stock", step: "recording for the report", env: Profile::Run.environment(folder))
            @results.report = MeasuredReport.of(folder, Cases.command(one, "stock", quick?), &@progress)
          end
        end
      end

      # The profiles come before, between and after the timed runs, so that they see the machine as these do.
      def measure_prediction(one)
        row = @results.add(one, [Prediction.new(one)]).first
        sides = %w[stock changed]
        (0..timed).each do |round|
          row.predict(*sides.map { |side| findings(one, side) }) if (round % PROFILE_EACH).zero?
          samples = rotate(sides, round).to_h { |side| [side, sample(one, side, step: "#{side}, round #{round}")] }
          row.add(samples) if round.positive?
        end
      end

      PROFILE_EACH = 5 # rounds
      private_constant :PROFILE_EACH

      # @return [Array<Profile::Finding>] all of the kind, those that are hardly certain included
      def findings(one, side)
        @progress.call("#{one.name}, profile of #{side}")
        run = Profile::Run.new(Cases.command(one, side, quick?), env: environment, out: File::NULL, err: File::NULL)
        Profile::Analyzer.new(run.call, Profile::CostModel.calibrate).findings
                         .select { |finding| finding.kind == one.kind }
      end

      def environment = Bench::WebGems::ENVIRONMENT

      def sample(one, side, step: side, prefix: [], env: {})
        @progress.call("#{one.name}, #{step}")
        @runner.run([*prefix, *Cases.command(one, side, quick?)], env: environment.merge(env)).tap do |sample|
          unless sample.status.success?
            reason = File.foreach(sample.stderr).first.to_s.chomp
            raise Error, "#{one.name} (#{side}) ended with #{sample.ending}: #{reason}"
          end

          sample.discard
        end
      end
    end
  end
end

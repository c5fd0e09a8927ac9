# frozen_string_literal: true

require "digest"
require_relative "../compare"
require_relative "../profile/answers"

module Frugal
  class Compare
    # Measures what a program saves if it does not ask again what it knows: it runs alternately in two ways. Both look
    # up each question of the findings. One way asks the kernel all the same, and compares the answers; the other does
    # not ask it. So the difference is the time of the calls.
    #
    #   Answering.new(%w[rake -s], recording).of(findings).saved   # => the Interval of 0.0108 seconds
    #
    # The command runs as in `frugal compare`: with an empty standard input, and its output in temporary files. A
    # finding whose answers differ in one of the runs is refuted.
    class Answering
      PAIRS = 5..25
      SECONDS = 20.0 # of all pairs together, if that is more than the fewest pairs
      private_constant :PAIRS, :SECONDS

      # Seconds in a run: the median of all pairs, and the range of that median, see {Statistics.interval}.
      Interval = Struct.new(:median, :low, :high) do
        # @param values [Array<Float>]
        def self.of(values) = new(Statistics.median(values), *Statistics.interval(values))

        # @return [Boolean] whether the differences between the runs are larger than the median
        def unclear? = low <= 0 && high >= 0
      end

      # A finding whose questions were answered: `predicted`, Float, the seconds that these questions take; `taken`,
      # {Interval}, what they took: the time in the kernel, less the time to look the answer up.
      Outcome = Struct.new(:finding, :predicted, :taken, keyword_init: true) do
        # @return [Float, nil] 0.1 if they took 10 % more than predicted
        def error = (taken.median / predicted - 1 if predicted.positive?)
      end

      # What the runs have shown.
      #
      # asked:: Integer: the superfluous questions with an answer; answered:: Integer: how many got it in a run
      # predicted:: Float: seconds, of those that were answered
      # saved:: {Interval} of processor time: with the kernel's answers, less without them
      # taken:: {Interval} of the calls alone, see {Outcome}
      # outcomes:: Array<{Outcome}>, the largest first
      # refuted:: Array<{Profile::Finding}>
      # problem:: String or nil: why the saving does not count
      # notes:: Array<String>: what could not be compared
      Report = Struct.new(:asked, :answered, :predicted, :saved, :taken, :outcomes, :refuted, :problem, :notes,
                          keyword_init: true)

      # @param command [Array<String>]
      # @param recording [Profile::Recording] of the command
      # @param pairs [Integer, nil] nil: 5 to 25, depending on the length of a run
      def initialize(command, recording, pairs: nil)
        @command = command
        @recording = recording
        @pairs = pairs
      end

      # *Cost*: 1 + 2 × pairs runs of the command.
      #
      # @param findings [Array<Profile::Finding>]
      # @yieldparam step [String] the next step, for a line of progress
      # @return [Report, nil] nil if no finding has a question that was answered before
      # @raise [CommandError] if the command cannot be started
      # @raise [Error] if there is no native recorder, or the command fails when it runs again
      def of(findings, &progress)
        @progress = progress || ->(_) {}
        @effects = Effects.new(@recording)
        @refuted = {}.compare_by_identity
        answers = Profile::Answers.of(findings)
        return if answers.empty?

        Dir.mktmpdir("frugal-compare-") do |directory|
          @runner = Runner.new(directory)
          wall = warm_up(answers)
          @pairs ||= (SECONDS / (2 * wall)).floor.clamp(PAIRS.min, PAIRS.max)
          report(Profile::Answers.of(findings.reject { |finding| @refuted.key?(finding) }))
        end
      end

      private

      # Compares the answers once, before anything is given.
      #
      # @return [Float] seconds
      def warm_up(answers)
        sample = run(answers, :compare, "comparing the answers").sample
        raise Error, "the command failed when it ran again: #{sample.ending}" unless sample.status.success?

        sample.wall
      end

      # @param answers [Profile::Answers] may be empty
      def report(answers)
        pairs = answers.empty? ? [] : Array.new(@pairs) { |index| pair(answers, index) }
        outcomes = pairs.empty? ? [] : outcomes(answers, pairs)
        Report.new(asked: answers.findings.sum { |finding| answers.count(finding) }, **totals(pairs),
                   predicted: outcomes.sum(&:predicted), outcomes: outcomes.sort_by { |outcome| -outcome.taken.median },
                   refuted: @refuted.keys, problem: @effects.problem, notes: @effects.notes)
      end

      # A run, and its {Profile::Answers::Count} for each finding.
      Run = Struct.new(:sample, :counts)
      private_constant :Run

      # @return [Hash{Symbol => Run}] by mode
      def pair(answers, index)
        order = index.even? ? %i[compare give] : %i[give compare]
        order.to_h do |mode|
          which = mode == :give ? "without" : "with"
          [mode, run(answers, mode, "pair #{index + 1} of #{@pairs}, #{which} the kernel's answers")]
        end
      end

      def run(answers, mode, step)
        @progress.call(step)
        answers.in_folder(mode) do |environment, counts|
          sample = @runner.run(@command, env: environment)
          @effects.add(mode, sample)
          found = counts.call
          found.each { |finding, count| @refuted[finding] = true if count.different.positive? }
          Run.new(sample, found)
        end
      end

      def totals(pairs)
        return { answered: 0 } if pairs.empty?

        { answered: pairs.last[:give].counts.each_value.sum(&:equal).round,
          saved: Interval.of(pairs.map { |pair| pair[:compare].sample.cpu - pair[:give].sample.cpu }),
          taken: taken(pairs) { |counts| counts.each_value.sum(&:time) } }
      end

      # @yieldparam counts [Hash]
      # @yieldreturn [Numeric] nanoseconds
      def taken(pairs)
        Interval.of(pairs.map { |pair| (yield(pair[:compare].counts) - yield(pair[:give].counts)) / 1e9 })
      end

      def outcomes(answers, pairs)
        given = pairs.last[:give].counts
        answers.findings.reject { |finding| given[finding].equal.zero? || @refuted.key?(finding) }.map do |finding|
          Outcome.new(finding: finding, predicted: answers.predicted_us(finding, given[finding].equal) / 1_000_000.0,
                      taken: taken(pairs) { |counts| counts[finding].time })
        end
      end

      # What a user can see of the runs: how they end, what they print, and the files that the recorded run wrote.
      class Effects
        READ = 64 * 1024 * 1024 # bytes of a file; of a larger one, the size is compared
        WRITING = File::CREAT | File::TRUNC | File::WRONLY | File::RDWR
        SHOWN = 3
        private_constant :READ, :WRITING, :SHOWN

        # @param recording [Profile::Recording]
        def initialize(recording)
          calls = recording.calls.reject(&:error)
          opened = calls.select { |call| Profile::Kinds::OPENS.include?(call.name) && call.flags.anybits?(WRITING) }
          renamed = calls.select { |call| call.name == :rename }
          @paths = (opened.map(&:path) + renamed.map(&:to)).compact.uniq
          @runs = { compare: [], give: [] }
        end

        # @param mode [Symbol]
        # @param sample [Sample] whose files are removed
        def add(mode, sample)
          output = %i[stdout stderr].to_h { |stream| ["the #{stream}", ::Digest::SHA256.file(sample[stream]).digest] }
          files = @paths.to_h { |path| [path, content(path)] }
          @runs[mode] << { "the exit status" => sample.ending, **output, **files }
          sample.discard
        end

        # @return [String, nil] what differs only where answers were given
        def problem
          what = (@runs[:give].flat_map { |run| different(run) } - unsteady).first
          "#{what} is another one without the kernel's answers" if what
        end

        # @return [Array<String>]
        def notes
          first, *more = unsteady.each_slice(SHOWN).to_a
          first ? ["not compared, since each run has another one: #{first.join(", ")}#{", …" if more.any?}"] : []
        end

        private

        def reference = @runs[:compare].first

        def unsteady = @runs[:compare].flat_map { |run| different(run) }.uniq

        def different(run) = run.reject { |what, value| reference[what] == value }.keys

        def content(path)
          stat = File.stat(path)
          return stat.ftype unless stat.file?

          stat.size > READ ? stat.size : ::Digest::SHA256.file(path).digest
        rescue SystemCallError => e
          e.class.name
        end
      end
      private_constant :Effects
    end
  end
end

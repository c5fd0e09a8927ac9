# frozen_string_literal: true

require_relative "stat_calls"
require_relative "row"

module Frugal
  module RakeBench
    # Runs all rivals in each round, in reversed order in every other round, so that a drift of
    # the machine's speed affects all equally. The counting runs come after the timed rounds.
    class Session
      # @param runner [Compare::Runner]
      # @param scratch [String] a folder outside of all trees
      # @param rounds [Integer]
      # @param patience [Numeric] seconds that one rival may take for one case; then it skips
      #   the remaining rounds
      # @param trace [Boolean] whether strace works here
      # @param warmup [Integer] rounds before the timed ones that do not count
      # @yieldparam step [String] for a line of progress
      def initialize(runner:, scratch:, rounds:, patience:, trace:, warmup: 1, &progress)
        @runner = runner
        @scratch = scratch
        @rounds = rounds
        @patience = patience
        @trace = trace
        @warmup = warmup
        @progress = progress
      end

      # @param subject [Case] a case whose tree is written
      # @param rivals [Array<Rival>]
      # @return [Array<Row>]
      def measure(subject, rivals)
        Dir.chdir(subject.tree.folder) do
          rows = rivals.map { |rival| Row.new(subject, rival) }
          rotate(rows) { |row, round| time(subject, row, round) }
          rows.reject(&:death).each { |row| count(subject, row) }
          rows
        end
      end

      # Runs a script that measures itself, so that the boot of Ruby is not included.
      #
      # @param subject [Micro]
      # @param rivals [Array<Rival>]
      # @param script [String] micro.rb
      # @param arguments [Array<String>] of the script, after the name
      # @return [Array<Row>]
      def measure_inside(subject, rivals, script, *arguments)
        rows = rivals.map { |rival| Row.new(subject, rival) }
        rotate(rows) do |row, round|
          @progress.call("#{subject.name}, #{row.label}")
          sample = @runner.run(row.rival.ruby(script, subject.name, *arguments))
          seconds = File.read(sample.stdout).to_f
          record(row, round, sample, seconds, nil, cause(sample))
        end
        rows
      end

      private

      # Rounds below zero are the warm-up.
      def rotate(rows)
        (-@warmup...@rounds).each do |round|
          order = round.even? ? rows : rows.reverse
          order.each { |row| yield row, round if continue?(row) }
        end
      end

      def continue?(row)
        return false if row.death

        row.rounds.zero? || row.spent + row[:time].measured.last <= @patience
      end

      def time(subject, row, round)
        step = round.negative? ? "warm-up" : "round #{round + 1} of #{@rounds}"
        @progress.call("#{subject.name}, #{step}, #{row.label}")
        phases = File.join(@scratch, "phases")
        sample = run(subject, row.rival.argv, env: Phases.environment(phases))
        measured = Phases.take(phases)
        row.phases[round] = measured unless round.negative?
        record(row, round, sample, sample.wall, sample.cpu, cause(sample) || (subject.fault unless round.negative?))
      end

      def record(row, round, sample, wall, cpu, death)
        sample.discard
        row.spent += sample.wall
        row.death = death
        return if round.negative? || death

        row[:time][round] = wall
        row[:cpu][round] = cpu
      end

      def run(subject, argv, env: {})
        subject.prepare.call
        @runner.run(argv, env: env)
      end

      # @return [String, nil] the name of the error that the program printed, or else how it ended; nil if it succeeded
      def cause(sample)
        return if sample.status.success?

        names = File.foreach(sample.stderr, encoding: Encoding::BINARY).lazy.map { |line| line[/\b[A-Z]\w*Error\b/] }
        names.find(&:itself) || sample.ending
      end

      def count(subject, row)
        @progress.call("#{subject.name}, counting, #{row.label}")
        row.stat_calls = stat_calls(subject, row.rival) if @trace && traceable?(subject, row.rival)
        return unless row.rival.rake && (subject.clean || subject.name == "boot")

        row.exceptions = exceptions(subject, row.rival)
      end

      # Tracing a process for each file would take minutes.
      def traceable?(subject, rival) = !subject.clean || rival.rake || rival.in_process

      def stat_calls(subject, rival)
        StatCalls.count(subject.tree.folder, File.join(@scratch, "stat_calls")) do |prefix|
          sample = run(subject, [*prefix, *rival.argv]).tap(&:discard)
          return nil unless sample.status.success? # strace is too old for these options
        end
      end

      def exceptions(subject, rival)
        path = File.join(@scratch, "counts")
        run(subject, rival.argv, env: Compare::Counts.environment(path)).discard
        Compare::Counts.read(path)&.exceptions
      ensure
        File.unlink(path) if File.exist?(path)
      end
    end
  end
end

# frozen_string_literal: true

require_relative "asks"
require_relative "row"

module Frugal
  module RakeBench
    # Runs rivals in turn, forth in one round and back in the next: a drift of the
    # machine meets all alike. Counting comes after timing.
    class Session
      # @param runner [Compare::Runner]
      # @param scratch [String] a folder outside of all trees
      # @param rounds [Integer]
      # @param patience [Numeric] seconds that one rival may take of one case;
      #   beyond, it sits out what is left
      # @param trace [Boolean] whether strace works here
      # @param warmup [Integer] rounds before them that do not count
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

      # @param subject [Case] its tree is written
      # @param rivals [Array<Rival>]
      # @return [Array<Row>]
      def measure(subject, rivals)
        Dir.chdir(subject.tree.folder) do
          rows = rivals.map { |rival| Row.for(rival) }
          rotate(rows) { |row, round| time(subject, row, round) }
          rows.reject(&:death).each { |row| count(subject, row) }
          rows
        end
      end

      # Microbenchmarks time themselves, so that Ruby's boot is not in it.
      #
      # @param rivals [Array<Rival>]
      # @param arguments [Array<String>] of micro.rb
      # @return [Array<Row>]
      def measure_inside(rivals, script, *arguments)
        rows = rivals.map { |rival| Row.for(rival) }
        rotate(rows) do |row, round|
          @progress.call("#{arguments.first}, #{row.label}")
          sample = @runner.run(row.rival.ruby(script, *arguments))
          seconds = File.read(sample.stdout).to_f
          note(row, round, sample, seconds, nil, cause(sample))
        end
        rows
      end

      private

      # Rounds below zero are the warm-up.
      def rotate(rows)
        (-@warmup...@rounds).each do |round|
          order = round.even? ? rows : rows.reverse
          order.each { |row| yield row, round if goes_on?(row) }
        end
      end

      def goes_on?(row)
        return false if row.death

        row.rounds.zero? || row.spent + row.walls.compact.last <= @patience
      end

      def time(subject, row, round)
        step = round.negative? ? "warm-up" : "round #{round + 1} of #{@rounds}"
        @progress.call("#{subject.name}, #{step}, #{row.label}")
        sample = run(subject, row.rival.argv)
        note(row, round, sample, sample.wall, sample.cpu, cause(sample) || (subject.fault unless round.negative?))
      end

      def note(row, round, sample, wall, cpu, death)
        sample.discard
        row.spent += sample.wall
        row.death = death
        return if round.negative? || death

        row.walls[round] = wall
        row.cpus[round] = cpu
      end

      def run(subject, argv, env: {})
        subject.prepare.call
        @runner.run(argv, env: env)
      end

      # The name of the error, as Ruby programs print it before they die.
      # @return [String, nil]
      def cause(sample)
        return if sample.status.success?

        File.foreach(sample.stderr, encoding: Encoding::BINARY) { |line| line[/\b[A-Z]\w*Error\b/]&.then { |name| return name } }
        sample.ending
      end

      def count(subject, row)
        @progress.call("#{subject.name}, counting, #{row.label}")
        row.asks = asks(subject, row.rival) if @trace && traceable?(subject, row.rival)
        row.exceptions = exceptions(subject, row.rival) if row.rival.rake && (subject.clean || subject.name == "boot")
      end

      # A process for each file, and each of them traced, takes minutes.
      def traceable?(subject, rival) = !subject.clean || rival.rake || rival.in_process

      def asks(subject, rival)
        Asks.count(subject.tree.folder, File.join(@scratch, "asks")) do |prefix|
          sample = run(subject, [*prefix, *rival.argv]).tap(&:discard)
          return nil unless sample.status.success? # an strace too old for these options
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

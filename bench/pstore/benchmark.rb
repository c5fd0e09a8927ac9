# frozen_string_literal: true

require_relative "cases"
require_relative "counting"
require_relative "results"
require_relative "../support/run"

module Frugal
  module PStoreBench
    # Creates the stores and measures the rivals. In each round, each rival runs as many
    # transactions as fit into a slice of time, and at least one. A rival that has used up
    # its time ({PATIENCE}) skips the remaining rounds.
    class Benchmark < Bench::Run
      SLICE = { false => 0.05, true => 0.001 }.freeze # seconds, by quick
      PATIENCE = 5.0 # seconds of one rival with one subject
      MAX_TRANSACTIONS = 50_000 # in a slice
      COMPILED = { false => 20_000, true => 100 }.freeze # transactions until JRuby has compiled them, by quick
      GROWTH_ROUNDS = 5 # maximum for growing stores
      # Seconds to wait after a file was written. Before that, the times of the file cannot show another change.
      SETTLED = 0.03

      private

      def measure_all
        @slice = SLICE.fetch(quick?)
        @rivals = Rivals.new(@folder, offline: @options[:offline])
        @notes.concat(@rivals.notes)
        cases = Cases.new(@rivals, quick: quick?, largest: @options[:roots])
        cases.subjects(@options[:only]).each { |subject| measure(subject) }
        count
      end

      def stop = @rivals&.stop

      def measure(subject)
        rows = @results.add(subject, subject.sides.map { |side| Row.new(subject, side) })
        rows.dup.each { |row| prepare(row) }
        sleep SETTLED
        rows.each { |row| attempt(row) { warm_up(row) } }
        rounds(rows, number(subject)) { |row, round| once(row) / row.transactions if continue?(row, round) }
        finish(rows)
      end

      def number(subject) = subject.growth? ? [@options[:rounds], GROWTH_ROUNDS].min : @options[:rounds]

      def prepare(row)
        say(row, "preparing")
        attempt(row) { call(row, :prepare, *preparation(row)) }
      end

      # Finds the number of transactions that fit into a slice. The first transaction does not
      # count, because later ones reuse what it has read. Stock keeps nothing between
      # transactions: if its first one is slow, it counts as the first round. If the second
      # transaction alone takes longer than a slice, it counts as the first round.
      def warm_up(row)
        last = first(row)
        return row[:time][0] = last if row.side.stock? && last > PATIENCE

        row.spent = 0.0
        until (last = once(row)) >= @slice / 2 || row.transactions == MAX_TRANSACTIONS
          factor = (@slice * 0.8 / last).clamp(1.5, 10.0)
          row.transactions = (row.transactions * factor).ceil.clamp(2, MAX_TRANSACTIONS)
        end
        row.transactions == 1 ? row[:time][0] = last : row.spent = 0.0
      end

      # @return [Float] seconds of the first transactions
      def first(row)
        row.transactions = row.side.rival.jruby? ? COMPILED.fetch(quick?) : 1
        once(row)
      ensure
        row.transactions = 1
      end

      def continue?(row, round)
        return false if row[:time].times[round]

        row.rounds.zero? || row.spent + (row[:time].measured.last * row.transactions) <= PATIENCE
      end

      # @return [Float] seconds of all transactions of a round
      def once(row)
        call(row, :run, row.subject.action, row.transactions).tap { |seconds| row.spent += seconds }
      end

      def finish(rows)
        rows.each do |row|
          say(row, "checking the store")
          attempt(row) { call(row, :check) } if row.subject.roots <= 10_000
          attempt(row) { call(row, :release) }
        end
      end

      def count
        # A JVM makes calls of its own: test/jruby/java_cost_test.rb counts there.
        rows = @results.rows.reject { |row| row.subject.growth? || row.death || row.side.rival.jruby? }
        @progress.call("counting system calls")
        counting = Counting.new(@rivals, @folder)
        counting.count(rows) { |row| preparation(row, "counted") }
        @notes << "system calls were not counted: #{counting.reason}" if counting.reason
      end

      # @return [Array] the arguments of {Worker#prepare}
      def preparation(row, folder = "stores")
        subject = row.subject
        own = File.join(@folder, folder, row.side.rival.name)
        FileUtils.mkdir_p(own)
        file = File.join(own, "#{subject.kind}-#{subject.roots}#{".sqlite" if row.side.sqlite?}")
        [file, base(subject), subject.kind, subject.roots, row.side.options]
      end

      # @return [String] a file with the initial contents of the store, in PStore's format
      def base(subject)
        path = File.join(@folder, "#{subject.kind}-#{subject.roots}")
        return path if File.exist?(path)

        command = [RbConfig.ruby, "--disable=gems", File.join(__dir__, "build.rb"), subject.kind, subject.roots.to_s, path]
        system({ "RUBYOPT" => nil }, *command) or raise Error, "the store for #{subject} could not be created in #{@folder}"
        path
      end

      def call(row, *request) = @rivals.process(row.side.rival).call(*request)
    end
  end
end

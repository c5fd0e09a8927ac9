# frozen_string_literal: true

require_relative "cases"
require_relative "counting"
require_relative "results"
require_relative "../support/run"

module Frugal
  module PStoreBench
    # One run from an empty folder to results. Each round, each rival runs as many
    # transactions as fit into a slice of time; one that is slower runs one. Who
    # has no patience left sits the other rounds out.
    class Benchmark < Bench::Run
      SLICE = { false => 0.05, true => 0.001 }.freeze # seconds, by quick
      PATIENCE = 5.0 # seconds of one rival with one subject
      AT_MOST = 50_000 # transactions in a slice
      GROWTH_ROUNDS = 5 # at most
      SETTLED = 0.03 # seconds; a file that was written just now cannot be told by its times

      # @return [Results]
      attr_reader :results

      # @param options [Hash] as the command line leaves them
      def initialize(options)
        super("pstore", options)
        @slice = SLICE.fetch(options[:quick])
        @results = Results.new(quick: options[:quick])
      end

      # @return [self]
      def run
        in_folder do
          @rivals = Rivals.new(@folder, offline: @options[:offline])
          @notes.concat(@rivals.notes)
          Cases.new(@rivals, quick: @options[:quick], largest: @options[:roots]).subjects(@options[:only]).each { |subject| measure(subject) }
          count
        end
        self
      end

      private

      # Before the folder, in which they work.
      def leave
        @rivals&.stop
        super
      end

      def measure(subject)
        @results.add(subject).dup.each { |row| prepare(row) }
        sleep SETTLED
        @results.rows(subject).each { |row| attempt(row) { warm_up(row) } }
        rounds(subject).times do |round|
          rotate(@results.rows(subject), round).each do |row|
            say(row, "round #{round + 1} of #{rounds(subject)}")
            attempt(row) { time(row, round) } if goes_on?(row, round)
          end
        end
        finish(@results.rows(subject))
      end

      def rounds(subject) = subject.growth? ? [@options[:rounds], GROWTH_ROUNDS].min : @options[:rounds]

      def prepare(row)
        say(row, "preparing")
        attempt(row) { call(row, :prepare, *preparation(row)) }
      end

      # The first transaction finds out what later ones know, but for stock, which
      # keeps nothing: where that is slow it is the first round. Whose second one
      # takes longer than a round is to, has its first round by that.
      def warm_up(row)
        row.transactions = 1
        last = once(row)
        return row.series.times[0] = last if row.side.stock? && last > PATIENCE

        row.spent = 0.0
        until (last = once(row)) >= @slice / 2 || row.transactions == AT_MOST
          row.transactions = (row.transactions * (@slice * 0.8 / last).clamp(1.5, 10.0)).ceil.clamp(2, AT_MOST)
        end
        row.transactions == 1 ? row.series.times[0] = last : row.spent = 0.0
      end

      def goes_on?(row, round)
        return false if row.series.times[round]

        row.rounds.zero? || row.spent + (row.series.times.compact.last * row.transactions) <= PATIENCE
      end

      def time(row, round)
        row.series.times[round] = once(row) / row.transactions
      end

      # @return [Float] seconds of all transactions of a round
      def once(row)
        call(row, :run, row.subject.action, row.transactions).tap { |seconds| row.spent += seconds }
      end

      def finish(rows)
        rows.each do |row|
          say(row, "looking at what was written")
          attempt(row) { call(row, :check) } if row.subject.roots <= 10_000
          attempt(row) { call(row, :forget) }
        end
      end

      def count
        rows = @results.all_rows.reject { |row| row.subject.growth? || row.death }
        @progress.call("counting system calls")
        counting = Counting.new(@rivals, @folder)
        counting.count(rows) { |row| preparation(row, "counted") }
        @notes << "system calls were not counted: #{counting.reason}" if counting.reason
      end

      # @return [Array] what a guest needs to prepare a store
      def preparation(row, folder = "stores")
        subject = row.subject
        own = File.join(@folder, folder, row.side.rival.arguments.join("-"))
        FileUtils.mkdir_p(own)
        file = File.join(own, "#{subject.kind}-#{subject.roots}#{".sqlite" if row.side.sqlite?}")
        [file, base(subject), subject.kind, subject.roots, row.side.options]
      end

      # @return [String] a file that holds what the store is to hold
      def base(subject)
        path = File.join(@folder, "#{subject.kind}-#{subject.roots}")
        return path if File.exist?(path)

        system({ "RUBYOPT" => nil }, RbConfig.ruby, "--disable=gems", File.join(__dir__, "build.rb"), subject.kind, subject.roots.to_s, path) or
          raise Error, "no store of #{subject} could be made in #{@folder}"
        path
      end

      def call(row, *request) = @rivals.process(row.side.rival).call(*request)

      def attempt(row)
        yield unless row.death
      rescue Bench::Died => error
        row.death = error.message[/\A[A-Z][\w:]*(?=: )/] || error.message
        @notes |= ["#{row.label} dies: #{error.message}"]
      rescue Bench::Missing => error
        @results.remove(row)
        @notes |= ["#{row.label} is not measured: #{error.message}"]
      end

      def say(row, what) = @progress.call("#{row.subject}, #{what}, #{row.label}")
    end
  end
end

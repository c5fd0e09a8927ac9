# frozen_string_literal: true

require "time"
require "tmpdir"
require_relative "clock"
require_relative "command"
require_relative "results"
require_relative "system_calls"
require_relative "worker_process"
require_relative "../../lib/frugal/compare/progress"

module Frugal
  module Bench
    # The base class of the benchmarks, which define `measure_all`. The files that they generate are in a temporary
    # folder that is removed at the end.
    class Run
      # @return [Results]
      attr_reader :results

      # @param name [String] part of the folder's name
      # @param options [Hash] the parsed options of the command line
      # @raise [Error] if RUBYOPT loads drop-ins, because stock would not be stock
      def initialize(name, options)
        raise Error, "RUBYOPT loads frugal's drop-ins, so stock would not be stock: unset RUBYOPT" if ENV["RUBYOPT"].to_s.include?("frugal")

        @name = name
        @options = options
        @progress = Compare::Progress.new($stderr)
        @started_at = Time.now
        @loads = [Machine.load]
        @notes = []
        @results = new_results
      end

      # @return [self]
      def run
        @folder = File.realpath(Dir.mktmpdir("frugal-bench-#{@name}-", @options[:dir]))
        @machine = Machine.describe(@folder)
        measure_all
        @loads << Machine.load
        self
      ensure
        @progress.clear
        leave if @folder
      end

      # @return [Hash{Symbol => Object}] facts for the report: command, date, machine, load, notes
      def facts(command)
        { command: command, date: @started_at.iso8601, machine: @machine, load: @loads, notes: @notes }
      end

      private

      # @return [Results] of the same module
      def new_results = Object.const_get(self.class.name.sub(/\w+\z/, "Results")).new(quick: quick?)

      # Removes the folder, after `stop` has ended the processes.
      def leave
        stop
        return warn("frugal: kept #{@folder}") if @options[:keep]
        return FileUtils.remove_entry(@folder) unless Interrupt === $!

        # Removing a large tree takes seconds, but Ctrl-C should return to the prompt at once.
        warn "frugal: removing #{@folder} in the background"
        Process.detach(spawn("rm", "-rf", @folder, pgroup: true, in: File::NULL, out: File::NULL, err: File::NULL))
      end

      def stop; end

      def quick? = @options[:quick]

      # @return [Array<Object>] the cases that --only names, in the given order
      def chosen(cases) = cases.select { |one| @options[:only].include?(one.name) }

      # @return [Boolean] whether strace can count system calls; otherwise a note says why not
      def count?(what = "system calls are not counted")
        reason = SystemCalls.unavailable(@folder) or return true
        @notes << "#{what}: #{reason}"
        false
      end

      # Reverses the order in every other round, so that a drift of the machine's speed affects all equally.
      def rotate(all, round) = round.even? ? all : all.reverse

      # Measures each row in each round.
      #
      # @yieldparam row [Row]
      # @yieldparam round [Integer]
      # @yieldreturn [Float, nil] seconds; nil if this round is skipped
      def rounds(rows, number = @options[:rounds], &measure)
        number.times { |round| round(rows, round, number, &measure) }
      end

      # Measures each row once.
      def round(rows, round, number = @options[:rounds])
        rotate(rows, round).each do |row|
          say(row, "round #{round + 1} of #{number}")
          attempt(row) { yield(row, round)&.then { |time| row[:time][round] = time } }
        end
      end

      # Does something with a rival. If it dies, or something that it needs is missing, all its rows are marked.
      #
      # @param rows [Array<Row>] of one rival
      def attempt(*rows)
        yield unless rows.first.death || !@results.rows(rows.first.subject).include?(rows.first)
      rescue Died => e
        rows.each { |row| died(row, e) }
      rescue Missing => e
        rows.each { |row| @results.remove(row) }
        @notes |= ["#{rows.first.name} is not measured: #{e.message}"]
      end

      # The table shows the cause; a note shows the whole message.
      def died(row, error)
        row.death = cause(error)
        @notes |= ["#{row.name} dies: #{error.message}"]
      end

      # @return [String] the name of an exception, if the message starts with one
      def cause(error) = error.message[/\A[A-Z][\w:]*(?=: )/] || error.message

      def say(row, step) = @progress.call("#{row.subject}, #{step}, #{row.label}")
    end
  end
end

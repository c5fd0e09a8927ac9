# frozen_string_literal: true

require_relative "../support/worker_process"
require_relative "../support/cost"
require_relative "../support/marked_trace"
require_relative "../support/system_calls"

module Frugal
  module PStoreBench
    # Counts the system calls of one transaction on the small store. Each rival runs once
    # more, in a process under strace. All of them start at once, because nothing is timed.
    class Counting
      TRANSACTIONS = 10

      # @param rivals [Rivals]
      # @param scratch [String] a folder
      def initialize(rivals, scratch)
        @rivals = rivals
        @scratch = scratch
        @reason = Bench::SystemCalls.unavailable(scratch)
      end

      # @return [String, nil] why system calls are not counted
      attr_reader :reason

      # Sets the cost of each row.
      #
      # @param rows [Array<Row>]
      # @yieldparam row [Row]
      # @yieldreturn [Array] arguments of {Worker#prepare}
      # @return [void]
      def count(rows, &preparation)
        return if reason || rows.empty?

        by_rival = rows.group_by { |row| row.side.rival }
        traced = by_rival.keys.map { |rival| trace(rival) }
        by_rival.values.zip(traced) { |own, (process, trace)| fill(own, process, trace, &preparation) }
      ensure
        traced&.each { |process,| process.stop }
      end

      private

      def trace(rival)
        log = File.join(@scratch, "#{rival.arguments.join("-")}.strace")
        trace = Bench::MarkedTrace.new(log, calls: [*Bench::MarkedTrace::FILE_CALLS, "getpid"])
        [@rivals.start(rival, "traced-errors", prefix: trace.prefix(follow: false)), trace]
      end

      def fill(rows, process, trace)
        rows.each do |row|
          process.call(:prepare, *yield(row))
          process.call(:count, row.subject.action, TRANSACTIONS, row.subject.name)
        end
        process.stop
        counts = trace.counts
        rows.each { |row| row.cost = Bench::Cost.per_operation(counts[row.subject.name], nil, TRANSACTIONS) }
      rescue Bench::Died => e
        rows.each { |row| row.death ||= e.message }
      end
    end
  end
end

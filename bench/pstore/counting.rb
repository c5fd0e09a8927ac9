# frozen_string_literal: true

require_relative "../support/guest_process"
require_relative "../support/marked_calls"

module Frugal
  module PStoreBench
    # What one transaction on the small store asks of the kernel: each rival once
    # more, in a process under strace. They start side by side, as nothing is timed.
    class Counting
      TRANSACTIONS = 10

      # @param rivals [Rivals]
      # @param scratch [String] a folder
      def initialize(rivals, scratch)
        @rivals = rivals
        @scratch = scratch
        @reason = Compare::SystemCalls.unavailable(scratch)
      end

      # @return [String, nil] why system calls are not counted
      attr_reader :reason

      # Gives the rows their bills.
      #
      # @param rows [Array<Row>]
      # @yieldparam row [Row]
      # @yieldreturn [Array] how its store is prepared
      # @return [void]
      def count(rows, &preparation)
        return if reason || rows.empty?

        by_rival = rows.group_by { |row| row.side.rival }
        traced = by_rival.keys.map { |rival| trace(rival) }
        by_rival.values.zip(traced) { |own, (process, calls)| fill(own, process, calls, &preparation) }
      ensure
        traced&.each { |process,| process.stop }
      end

      private

      def trace(rival)
        calls = Bench::MarkedCalls.new(File.join(@scratch, "#{rival.arguments.join("-")}.strace"))
        [@rivals.start(rival, "traced-errors", prefix: calls.prefix), calls]
      end

      def fill(rows, process, calls)
        rows.each do |row|
          process.call(:prepare, *yield(row))
          process.call(:count, row.subject.action, TRANSACTIONS, *[row.subject.name, "end"].map { |name| Bench::MarkedCalls.mark(name) })
        end
        process.stop
        counted = calls.by_mark
        rows.each { |row| row.bill = Bench::Bill.of_each(counted[row.subject.name], nil, TRANSACTIONS) }
      rescue Bench::Died => error
        rows.each { |row| row.death ||= error.message }
      end
    end
  end
end

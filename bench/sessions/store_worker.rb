# frozen_string_literal: true

# The process of one place for sessions (see ../support/worker_process.rb):
#
#   ruby bench/sessions/store_worker.rb pstore|files|redis|sqlite
require_relative "../support/worker"

module Frugal
  module SessionsBench
    # Its public methods, except `serve`, are the requests that it answers.
    class StoreWorker < Bench::Worker
      STEP = 7919 # a prime that divides no number of sessions
      ACTIVE = 100 # sessions that are visited where the others only are there
      BATCH = 20 # visits between two readings of the clock
      SETTLED = 0.03 # seconds after which the times of a file can show another change

      # @param kind [String] see places.rb
      def initialize(kind)
        super()
        @kind = kind
        require_relative "places"
      rescue LoadError => e
        @failure = Missing.new(e.message)
      end

      # Makes `count` sessions, and keeps the place under that number.
      #
      # @return [Float] seconds of one
      def fill(where, count, bytes)
        place = (@places ||= {})[count] = Places.open(@kind, where)
        Bench::Clock.seconds { place.fill(0...count, bytes) } / count
      rescue UsageError => e
        raise Missing, e.message.lines.first.chomp
      end

      # @param action [String] unchanged or changed; with "active", only {ACTIVE} sessions are visited
      # @param seconds [Float] minimum
      # @return [Float] seconds of one visit
      def time(count, action, seconds)
        slice(seconds, BATCH) do
          keys = keys(count, BATCH, action)
          Bench::Clock.seconds { keys.each { |key| visit(count, key, action) } }
        end
      end

      # Visits sessions between two marks in the trace of strace.
      def count(count, action, times)
        sleep SETTLED
        keys(count, 3, action).each { |key| visit(count, key, action) } # first calls may load files and fill caches
        keys = keys(count, times, action)
        marked(action) { keys.each { |key| visit(count, key, action) } }
        nil
      end

      private

      def keys(count, size, action)
        visited = action.end_with?("active") ? [ACTIVE, count].min : count
        Array.new(size) do
          @next = @next.to_i + 1
          @places.fetch(count).key(@next * STEP % visited * (count / visited))
        end
      end

      def visit(count, key, action)
        @turn = @turn.to_i + 1
        @places.fetch(count).visit(key, action.start_with?("changed") ? @turn : nil)
      end
    end
  end
end

Frugal::SessionsBench::StoreWorker.new(*ARGV).serve

# frozen_string_literal: true

require_relative "../support/web_gems"
require_relative "../../lib/frugal/compare"

module Frugal
  module WaitsBench
    # Reads of one entry of a cache by one process, while others write it all the time: a reader may have to read again,
    # or to wait for a lock.
    class Reads
      NAME = "reads"
      CACHES = { "FileStore" => "active_support/cache", "FrugalStore" => File.expand_path("../../lib/active_support/cache/frugal_store", __dir__) }.freeze
      GEMS = %w[activesupport concurrent-ruby i18n tzinfo logger base64 securerandom connection_pool].freeze
      WRITERS = 4
      BYTES = 200_000
      ROUNDS = 7

      # The seconds of all reads, by cache and round.
      Result = Struct.new(:rounds) do
        # @param cache [String] a key of CACHES
        # @return [Float] the median of the rounds of a quantile, in seconds
        def quantile(cache, share) = Compare::Statistics.median(rounds.fetch(cache).map { |times| Result.quantile(times, share) })

        # @return [Float] FrugalStore ÷ FileStore: the time below which 99 of 100 reads are
        def slowest_ratio = CACHES.keys.map { |cache| quantile(cache, 0.99) }.then { |stock, ours| ours / stock }

        # @return [Hash{String => Hash}] times are seconds
        def to_h
          rounds.to_h do |cache, times|
            [cache, { reads: times.sum(&:size), median: quantile(cache, 0.5), p99: quantile(cache, 0.99), longest: times.flatten.max }]
          end
        end

        def self.quantile(times, share) = times.sort[((times.size - 1) * share).round]
      end

      # @return [String, nil] why it cannot be measured here
      def self.missing
        return Bench::WebGems::MISSING unless Bench::WebGems.available?(*GEMS)

        Bench::WebGems.load(*GEMS)
        require "logger"
        require "active_support"
        CACHES.each_value { |feature| require feature }
        nil
      rescue LoadError => e
        e.message
      end

      # @param folder [String]
      # @param seconds [Float] of a round of one cache
      # @param rounds [Integer]
      def initialize(folder, seconds: 1.0, rounds: ROUNDS)
        @folder = folder
        @seconds = seconds
        @rounds = rounds
        @value = Random.new(1).bytes(BYTES)
      end

      # @return [Result]
      def call
        times = CACHES.keys.to_h { |name| [name, []] }
        @rounds.times { |round| CACHES.keys.rotate(round).each { |name| times[name] << read(name) } }
        Result.new(times)
      end

      private

      # @return [Array<Float>] seconds of each read
      def read(name)
        cache = ActiveSupport::Cache.const_get(name).new("#{@folder}/#{name}")
        cache.write("entry", @value)
        writers = Array.new(WRITERS) { fork { loop { cache.write("entry", @value) } } }
        out, report = IO.pipe(binmode: true)
        reader = fork { report.write(Marshal.dump(measure(cache))) }
        report.close
        Marshal.load(out.read)
      ensure
        writers&.each { |pid| Process.kill(:KILL, pid) && Process.wait(pid) }
        Process.wait(reader) if reader
        out&.close
      end

      def measure(cache)
        limit = now + @seconds
        times = []
        while (started = now) < limit
          cache.read("entry").bytesize == BYTES or raise Error, "a read found no whole entry"
          times << (now - started)
        end
        times
      end

      def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    end
  end
end

# frozen_string_literal: true

require "fileutils"
require_relative "cases"
require_relative "server"
require_relative "../pstore/libraries"
require_relative "../support/cost"
require_relative "../support/marked_trace"
require_relative "../support/redis_server"
require_relative "../support/system_calls"
require_relative "../support/worker_process"

module Frugal
  module SessionsBench
    # The processes of the rivals that are not applications, and where all rivals keep their sessions and entries.
    class Stores
      LIB = File.expand_path("../../lib", __dir__)
      COUNTED = 10 # visits or calls under strace
      STORE = File.join(__dir__, "store_worker.rb")
      CACHE = File.join(__dir__, "cache_worker.rb")

      # @return [Array<String>] notes for the report
      attr_reader :notes

      # @param folder [String]
      def initialize(folder)
        @folder = folder
        @processes = {}
        @notes = []
        @redis = Bench::RedisServer.new.start if Bench::RedisServer.available?
        @notes << "nothing was measured with Redis: no server is installed (bin/setup --redis)" unless @redis
        version, @pstore = PStoreBench::Libraries.new(offline: true).pstores.to_a.last
        @notes << "pstore #{version || "of this Ruby (bin/setup --pstores has newer ones)"}"
        @reason = Bench::SystemCalls.unavailable(folder)
        @notes << "system calls were not counted: #{@reason}" if @reason
      end

      # @return [Array<String>] options of Ruby: this frugal, the newest PStore, the gems of bin/setup --webs
      def load_path
        gems = Bench::WebGems.options if Bench::WebGems.available?("puma", "rack-session")
        ["-I", LIB, *(["-I", @pstore] if @pstore), *gems]
      end

      # @return [Boolean] whether this rival can be measured here
      def here?(label) = !@redis.nil? || !label.match?(/redis/i)

      # @return [Integer, nil] the process of the Redis server
      def redis_pid = @redis&.pid

      # @param name [String] of the place
      # @return [String] a folder, or the URL of a server
      def where(label, name)
        return "#{@redis.url}?store=#{name}" if label == Cases::REDIS
        return "redis://127.0.0.1:#{@redis.port}/1" if label == "RedisCacheStore"

        File.join(@folder, "places", "#{label.delete(", ")}-#{name}")
      end

      # @param row [Row]
      # @return [Bench::WorkerProcess] that of the row's rival
      def process(row)
        key = [row.subject.name == "cache", row.label]
        @processes.delete(key) if @processes[key]&.stopped?
        @processes[key] ||= start(row)
      end

      # Counts the system calls of rows of one rival, in a new process under strace.
      #
      # @param rows [Array<Row>]
      # @yieldparam process [Bench::WorkerProcess] to be prepared
      # @return [void]
      def count(rows)
        return if @reason

        trace = Bench::MarkedTrace.new(File.join(@folder, "strace"))
        process = start(rows.first, trace.prefix)
        yield process
        exceptions = rows.map { |row| process.call(:count, *arguments(row), COUNTED) }
        process.stop
        counts = trace.counts
        rows.zip(exceptions) { |row, raised| row.cost = Bench::Cost.per_operation(counts[row.subject.action], raised, COUNTED) }
      ensure
        process&.stop
      end

      def stop
        @processes.each_value(&:stop)
        @redis&.stop
      end

      private

      def arguments(row) = row.subject.name == "cache" ? [row.subject.action] : [1, row.subject.action]

      def start(row, prefix = [])
        script, name = row.subject.name == "cache" ? [CACHE, Cases::CACHES[row.label]] : [STORE, Cases::PLACES[row.label]]
        errors = File.join(@folder, "#{name}#{".traced" if prefix.any?}.errors")
        Bench::WorkerProcess.new([*prefix, RbConfig.ruby, "-W0", *load_path, script, name],
                                 errors: errors, env: Bench::WebGems::ENVIRONMENT)
      end
    end
  end
end

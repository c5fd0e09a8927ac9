# frozen_string_literal: true

# The process of one cache (see ../support/worker_process.rb):
#
#   ruby bench/sessions/cache_worker.rb FrugalStore|FileStore|MemoryStore|RedisCacheStore
require_relative "../support/worker"

module Frugal
  module SessionsBench
    # Its public methods, except `serve`, are the requests that it answers.
    class CacheWorker < Bench::Worker
      STEP = 7919 # a prime that divides no number of entries
      BATCH = 20 # calls between two readings of the clock
      VALUE = "v" * 200
      FEATURES = { "FrugalStore" => "active_support/cache/frugal_store" }.freeze

      # @param name [String] of a class in ActiveSupport::Cache
      def initialize(name)
        super()
        require "logger"
        require "active_support"
        require "active_support/cache"
        require FEATURES[name] if FEATURES.key?(name)
        @cache = ActiveSupport::Cache.const_get(name)
      rescue LoadError => e
        @failure = Missing.new(e.message.lines.first.chomp)
      end

      # @param where [String] a folder, or the URL of a Redis server
      # @param entries [Integer]
      # @return [String] the version of ActiveSupport
      def prepare(where, entries)
        @entries = entries
        @store = open(where)
        entries.times do |number|
          @store.write("entry #{number}", VALUE)
          @store.write("counter #{number}", 1)
        end
        ActiveSupport::VERSION::STRING
      end

      # @param action [String] overwrite, hit, miss or increment
      # @param seconds [Float] minimum
      # @return [Float] seconds of one call
      def time(action, seconds)
        slice(seconds, BATCH) { names(action, BATCH).then { |names| Bench::Clock.seconds { run(action, names) } } }
      end

      # @return [Integer] exceptions that were raised
      def count(action, times)
        run(action, names(action, 3)) # first calls may load files
        names = names(action, times)
        marked(action) { run(action, names) }
        raises { run(action, names) }
      end

      private

      def open(where)
        case @cache.name
        when /MemoryStore/ then @cache.new
        when /Redis/ then @cache.new(url: where)
        else @cache.new(where)
        end
      end

      def names(action, size)
        kind = { "miss" => "missing", "increment" => "counter" }.fetch(action, "entry")
        Array.new(size) { "#{kind} #{(@next = @next.to_i + 1) * STEP % @entries}" }
      end

      def run(action, names)
        case action
        when "overwrite" then names.each { |name| @store.write(name, VALUE) }
        when "increment" then names.each { |name| @store.increment(name) }
        else names.each { |name| @store.read(name).nil? == (action == "miss") or raise "#{name}: no #{action}" }
        end
      end
    end
  end
end

Frugal::SessionsBench::CacheWorker.new(*ARGV).serve

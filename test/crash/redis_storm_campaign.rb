# frozen_string_literal: true

require_relative "../support/store_gems"
require_relative "../support/redis_server"

module Safety
  # Kills a Redis server (AOF on, each write on the disk before its answer) at random moments and
  # starts it again, while processes count in several stores on it. Each store has a total, and a
  # counter of each process, in one transaction. A process knows how many of its transactions
  # were acknowledged, so one that was lost or done twice shows in its counter.
  class RedisStormCampaign
    # kills:: of the server
    # acknowledged:: transactions
    # counted:: the sum of the counters of the processes
    # unsure:: transactions without an answer, which the process resolved by its counter afterwards
    # wrong:: what is lost, done twice or torn
    Result = Struct.new(:kills, :acknowledged, :counted, :unsure, :wrong, keyword_init: true) do
      def to_s
        "#{kills} kills of the server: #{acknowledged} increments acknowledged, #{counted} counted, #{unsure} unsure, " \
          "#{wrong.size} wrong"
      end
    end

    PROCESSES = 2
    STORES = %w[storm-a storm-b].freeze
    # Seconds; long enough for a restart on a busy machine.
    RECONNECTS = Array.new(400) { 0.025 }.freeze
    LAST = 6 # transactions of each process in each store after the last kill
    private_constant :PROCESSES, :STORES, :RECONNECTS, :LAST

    # @param kills [Integer]
    # @param seed [Integer]
    # @param reconnects [Array<Numeric>] the client's pauses; with few, more transactions are unsure
    def initialize(kills:, seed:, reconnects: RECONNECTS)
      @kills = kills
      @random = Random.new(seed)
      @reconnects = reconnects
    end

    # @return [Result]
    def call
      @server = RedisServer.new(aof: true).start
      go_on, stop = IO.pipe
      workers = Array.new(PROCESSES) { |number| start_worker(number, go_on, stop) }
      go_on.close
      @kills.times { kill_the_server }
      stop.close
      summary(workers.map { |pid, report| finish(pid, report) })
    ensure
      @server&.stop
    end

    private

    def kill_the_server
      sleep(0.02 + (@random.rand * 0.08))
      @server.kill
      sleep(@random.rand * 0.02)
      @server.start
    end

    def start_worker(number, go_on, stop)
      report, answer = IO.pipe(binmode: true)
      pid = fork do
        [stop, report].each(&:close)
        answer.write(Marshal.dump(count(number, go_on)))
        answer.close
        exit!(0)
      rescue Exception => e # rubocop:disable Lint/RescueException -- reported to the parent
        answer.write(Marshal.dump(e.full_message(highlight: false)))
        answer.close
        exit!(1)
      end
      answer.close
      [pid, report]
    end

    # Counts in all stores by turns, until the pipe closes and each has acknowledged its last transactions.
    #
    # @return [Hash{String => Array(Integer, Integer, Array)}] see {Counter#report}
    def count(number, go_on)
      counters = STORES.map { |name| Counter.new(open(name), "process #{number}") }
      counters.each(&:increment) until go_on.wait_readable(0)
      counters.each { |counter| LAST.times { nil until counter.increment } }
      STORES.zip(counters.map(&:report)).to_h
    end

    def open(name)
      Frugal::Store.new(name, engine: :redis, attempts: 10_000,
                              redis: { url: @server.url, reconnect_attempts: @reconnects, timeout: 2 })
    end

    def finish(pid, report)
      found = Marshal.load(report.read)
      Process.wait(pid)
      raise found if found.is_a?(String)

      found
    ensure
      report.close
    end

    def summary(reports)
      result = Result.new(kills: @kills, acknowledged: 0, counted: 0, unsure: 0, wrong: [])
      STORES.each do |name|
        counters = open(name).each.to_h
        total = counters.delete("total")
        result.wrong << "#{name}: #{counters} are not #{total} in total" unless counters.values.sum == total
        result.counted += total.to_i
        reports.each_with_index { |report, number| add(result, report.fetch(name), name, counters["process #{number}"]) }
      end
      result
    end

    def add(result, report, name, counted)
      acknowledged, unsure, resolved, wrong = report
      result.acknowledged += acknowledged
      result.unsure += unsure
      result.wrong.concat(wrong.map { |text| "#{name}: #{text}" })
      return if counted == acknowledged + resolved

      result.wrong << "#{name}: #{acknowledged} acknowledged and #{resolved} resolved, #{counted} counted"
    end

    # The increments of one process in one store.
    class Counter
      # @param key [String] of the root that only this process writes
      def initialize(store, key)
        @store = store
        @key = key
        @acknowledged = @unsure = @resolved = @value = @pending = 0
        @wrong = []
      end

      # @return [Boolean] whether it was acknowledged
      def increment
        value = @store.transaction do
          @store["total"] = @store["total"].to_i + 1
          @store[@key] = @store[@key].to_i + 1
        end
        acknowledge(value)
        true
      rescue Frugal::StoreUnavailable
        @unsure += 1
        @pending += 1
        false
      end

      # @return [Array(Integer, Integer, Integer, Array<String>)] acknowledged; without an answer; how many of these
      #   turned out to be done; what is wrong
      def report = [@acknowledged, @unsure, @resolved, @wrong]

      private

      # Each transaction without an answer is done or not.
      def acknowledge(value)
        done = value - @value - 1
        @wrong << "the counter went from #{@value} to #{value}, #{@pending} unsure" unless done.between?(0, @pending)
        @acknowledged += 1
        @resolved += done
        @value = value
        @pending = 0
      end
    end
    private_constant :Counter
  end
end

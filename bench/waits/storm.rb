# frozen_string_literal: true

module Frugal
  module WaitsBench
    # Processes with threads that count in one place, while other processes keep the processors busy.
    #
    #   Storm.new(processes: 16, target: 400) { SessionPlace.new(backend, id) }.call   # => 400 turns or a few more
    class Storm
      # A change that was answered: how many turns others had meanwhile, how long it took, what the place reported.
      Turn = Struct.new(:thread, :others, :seconds, :events)

      Result = Struct.new(:turns, :killed, :seconds) do
        def by_thread = turns.group_by(&:thread).transform_values(&:size)
        def events = turns.flat_map(&:events).tally
        def longest = turns.map(&:seconds).max

        # @return [Float] seconds that each would wait if all had a turn in between
        def fair = seconds * by_thread.size / turns.size

        def to_s
          format("%d threads, %d turns in %.1f s, %d–%d each; longest wait %.2f s, fair %.2f s, turns of others in it %d; %s",
                 by_thread.size, turns.size, seconds, *by_thread.values.minmax, longest, fair, turns.map(&:others).max, events)
        end
      end

      # @param target [Integer] the value at which they end
      # @param hold [Float] seconds in a turn
      # @param busy [Integer] processes that keep the processors busy
      # @yieldreturn [SessionPlace, StorePlace] for a process
      def initialize(processes:, target:, threads: 4, hold: 0.002, busy: 4, &place)
        @processes = processes
        @target = target
        @threads = threads
        @hold = hold
        @busy = busy
        @place = place
      end

      # @yieldparam pids [Array<Integer>] of the processes
      # @yieldreturn [Array<Integer>, nil] those that the block has not killed
      # @return [Result]
      def call
        burners = Array.new(@busy) { spawn("sh", "-c", "while :; do :; done") }
        @out, @report = IO.pipe(binmode: true)
        start = now
        pids = all = Array.new(@processes) { |number| fork { work(number) } }
        @report.close
        pids = yield(pids.dup) || pids if block_given?
        turns = @out.each_line("\n\n").map { |line| Marshal.load(line.unpack1("m")) }
        pids.each { |pid| Process.wait(pid) }
        Result.new(turns, all.size - pids.size, now - start)
      ensure
        (burners || []).each { |pid| Process.kill(:KILL, pid) }.each { |pid| Process.wait(pid) }
      end

      private

      def work(number)
        place = @place.call
        threads = Array.new(@threads) { |index| Thread.new { nil while count(place, "#{number}.#{index}") } }
        threads.each { |thread| thread.report_on_exception = false }.each(&:join)
      rescue StandardError => e
        warn "a process of a storm: #{e.message} (#{e.class})", e.backtrace.first(3)
      ensure
        exit!
      end

      # @return [Boolean] whether there is more to do
      def count(place, thread)
        before = place.value
        return false if before >= @target

        start = now
        waited = nil
        events = []
        found = place.count(events) do
          waited = now - start
          sleep @hold
        end
        turn = Turn.new(thread, found - before, waited, events)
        @report.write("#{[Marshal.dump(turn)].pack("m0")}\n\n") # at once, as it is short
        true
      end

      def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    end

    # A session whose bytes are a number.
    class SessionPlace
      LIFETIME = 100 # seconds

      # @param backend [Frugal::Session::Backend]
      def initialize(backend, id)
        @backend = backend
        @id = id
      end

      # @return [self]
      def create
        @backend.create(@id, "0", 1, LIFETIME)
        self
      end

      # @return [Integer] without a turn
      def value
        stored = @backend.load(@id, false)
        stored.bytes.to_i
      ensure
        @backend.release(stored) if stored
      end

      # @param events [Array<Symbol>] gets what is reported
      # @yield in the turn
      # @return [Integer] what was found then
      def count(events)
        stored = @backend.load(@id, true) { |event, _| events << event }
        yield
        @backend.commit(stored, (stored.bytes.to_i + 1).to_s, 1, LIFETIME) do |present|
          events << :merged
          [(present.to_i + 1).to_s, 1]
        end
        stored.bytes.to_i
      ensure
        @backend.release(stored) if stored
      end
    end

    # A root of a store that is a number.
    class StorePlace
      # @param store [Frugal::Store]
      def initialize(store)
        @store = store
      end

      def create
        @store["n"] = 0
        self
      end

      def value = @store["n"]

      def count(_events)
        @store.update("n") do |number|
          yield
          number + 1
        end - 1
      end
    end
  end
end

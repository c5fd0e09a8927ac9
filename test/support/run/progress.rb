# frozen_string_literal: true

require_relative "skips"

class TestRun
  # What a run prints: each failure when it happens, the totals every now and then, the time of each leg at its end, why
  # tests were skipped and how many for each reason, the failures once more, briefly, and as the last line
  #
  #   1234 passed, 0 failed, 5 skipped
  #
  # Legs call it from their threads.
  class Progress
    EVERY = { true => 5, false => 60 }.freeze # seconds between totals, in a terminal and in a file
    MOST = 10 # tests that are named for their processor time
    KEPT = 40 # lines of a leg's output that are shown when it dies
    AGAIN = 8 # lines of a failure that are repeated at the end
    NO_JAVA = "bin/setup --jruby has not found the Java for it, or no JDK"
    State = Struct.new(:since, :counts, :test, :through, :output)

    # @param out [IO]
    # @param verbose [Boolean] whether each test is printed with its time
    # @param skips [Symbol, nil] what to do with the list of skips: :compare or :write
    def initialize(out, verbose: false, skips: nil)
      @out = out
      @verbose = verbose
      @list = skips
      @counts = Hash.new(0)
      @states = {}
      @failures = []
      @skips = Skips.new
      @processor = Hash.new(0) # seconds by the name of the test
      @lock = Mutex.new
      @started = now
    end

    # Prints the totals while the block runs.
    def watch
      ticker = Thread.new { loop { sleep(EVERY[@out.tty?]) && @lock.synchronize { totals } } }
      yield
    ensure
      ticker.kill
    end

    def start(leg)
      @lock.synchronize { @states[leg] = State.new(now, Hash.new(0), nil, false, []) }
    end

    # @param kind [Symbol] see {Reporter}
    def event(leg, kind, name = nil, *result)
      @lock.synchronize do
        state = @states[leg]
        case kind
        when :starts then state.test = name
        when :through then state.through = true
        else result(leg, state, kind, name, *result)
        end
      end
    end

    # A line that a test, or a process of it, has printed.
    def printed(leg, text)
      @lock.synchronize do
        output = @states[leg].output
        output << text
        output.shift if output.size > KEPT
        say text
      end
    end

    # @param status [Process::Status]
    def ended(leg, status)
      @lock.synchronize do
        state = @states.delete(leg)
        died(leg, state, status) unless state.through && (status.success? || state.counts[:failed].positive?)
        say "#{leg.title}: #{counts(state.counts)} in #{seconds(state.since)}"
      end
    end

    # A leg whose Ruby is not here.
    def leave_out(leg)
      say "#{leg.title}: #{leg.files.size} files skipped: #{NO_JAVA}"
      @skips.add(leg.title, NO_JAVA, leg.files.size)
      @counts[:skipped] += leg.files.size
    end

    # @param legs [Array<Leg>] all of this run
    # @return [Boolean] whether nothing failed
    def finish(legs)
      say format("all legs took %s, and %.0f s of processor time", seconds(@started), @processor.values.sum), *most, *@skips.summary
      list_skips(legs.map(&:title)) if @list
      say(*@failures, counts(@counts))
      @counts[:failed].zero?
    end

    private

    def result(leg, state, kind, name, time, processor, text = nil)
      state.test = nil
      [state.counts, @counts].each { |counts| counts[kind] += 1 }
      @processor[name] += processor
      say format("%s = %.2f s, processor %.2f s%s", name, time, processor, " (#{kind})" * (kind == :passed ? 0 : 1)) if @verbose
      @skips.add(leg.title, text.b.lines.first.to_s.chomp) if kind == :skipped
      failed(leg, name, " in #{leg.title}: #{text}") if kind == :failed
    end

    def list_skips(titles)
      return @skips.write(titles) if @list == :write

      differences = @skips.differences(titles)
      @counts[:failed] += differences.size
      @failures.concat(differences.map { |difference| "failed: #{difference}" })
    end

    # @return [Array<String>] the tests that took the most processor time
    def most
      return [] unless @verbose

      @processor.max_by(MOST) { |_, time| time }.map { |name, time| format("%.0f s of processor time: %s", time, name) }
    end

    def failed(leg, name, *lines)
      again = lines.join("\n").b.lines.drop(1).first(AGAIN)
      @failures.push("failed: #{leg.title}#{" (#{name})" if name}", *again.map { |line| "  #{line}" })
      say "", "FAILED#{lines.shift}", *lines, ""
    end

    def died(leg, state, status)
      [state.counts, @counts].each { |counts| counts[:failed] += 1 }
      failed(leg, state.test, ": #{leg.title} ended with #{status}#{" in #{state.test}" if state.test}; its last output:", *state.output)
    end

    def totals
      running = @states.map { |leg, state| "#{leg.title}#{" (#{state.test})" if state.test}" }
      say "#{seconds(@started)}: #{counts(@counts)}; running: #{running.join(", ")}"
    end

    # As binary: a failure may quote any bytes.
    def say(*lines) = @out.write(lines.map { |line| "#{line.b.chomp}\n" }.join)
    def counts(counts) = "#{counts[:passed]} passed, #{counts[:failed]} failed#{", #{counts[:skipped]} skipped" if counts[:skipped].positive?}"
    def seconds(since) = "#{(now - since).round} s"
    def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  end
end

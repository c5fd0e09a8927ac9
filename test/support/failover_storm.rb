# frozen_string_literal: true

# Threads count, each in a session of its own, while the test makes servers fail.
#
#   storm = FailoverStorm.new(backend, ids)
#   storm.run { kill_something; storm.await_changes }
#   storm.wrong                     # => what is lost or done twice
class FailoverStorm
  # What a thread knows of its session: changes that were answered, those that failed, which may be done or not; the
  # longest request.
  Counter = Struct.new(:id, :done, :unsure, :longest)

  attr_reader :counters

  def initialize(backend, ids)
    @backend = backend
    ids.each { |id| backend.create(id, "0", 1, 1000) }
    @counters = ids.map { |id| Counter.new(id, 0, 0, 0.0) }
  end

  # The block must not take for ever.
  def run
    threads = @counters.map do |counter|
      Thread.new { step(counter) until @stop }.tap { |thread| thread.report_on_exception = false }
    end
    yield
  ensure
    @stop = true
    threads&.each(&:join)
  end

  # Waits until each session was changed some more times.
  def await_changes(times = 30, limit = 60)
    start = now
    @counters.zip(@counters.map { |counter| counter.done + times }).each do |counter, done|
      until counter.done >= done
        raise "#{counter.id}: #{counter.done} of #{done} changes after #{limit} s" if now - start > limit

        sleep 0.01
      end
    end
  end

  # @return [Array<String>]
  def wrong(backend = @backend)
    @counters.filter_map do |counter|
      found = backend.load(counter.id, false)&.bytes
      next if found && found.to_i.between?(counter.done, counter.done + counter.unsure)

      "#{counter.id}: #{counter.done} acknowledged and #{counter.unsure} unsure, #{found.inspect} found"
    end
  end

  def to_s
    sums = %i[done unsure].map { |name| @counters.sum(&name) }
    format("%d changes acknowledged, %d unsure, longest request %.2f s", *sums, @counters.map(&:longest).max)
  end

  private

  def step(counter)
    start = now
    stored = @backend.load(counter.id, true) { nil }
    raise "#{counter.id} is lost after #{counter.done} changes" unless stored.respond_to?(:bytes)

    saving = true
    @backend.commit(stored, (stored.bytes.to_i + 1).to_s, 1, 1000) { |present| [(present.to_i + 1).to_s, 1] }
    counter.done += 1
    saving = false
  rescue Frugal::Session::Unavailable
    counter.unsure += 1 if saving
    sleep 0.01
  ensure
    @backend.release(stored) if stored.respond_to?(:bytes)
    counter.longest = [counter.longest, now - start].max
  end

  def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
end

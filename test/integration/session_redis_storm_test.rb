# frozen_string_literal: true

require_relative "../support/redis_sessions"
require_relative "../../bench/waits/storm"

# Many processes with threads that change one session, on a machine that is busy. STORM_BUSY is the number of processes
# beside them; STORM_VERBOSE=1 prints what was measured.
class SessionRedisStormTest < RedisSessions
  THREADS = 4
  BUSY = Integer(ENV.fetch("STORM_BUSY", "4"))

  # How many processes, and how many turns for each of their threads.
  { 4 => 6, 16 => 4, 32 => 2 }.each do |processes, turns|
    define_method("test_#{processes}_processes") do
      threads = processes * THREADS
      result = storm(processes, threads * turns, lock_wait: 200)
      assert_equal result.turns.size, value.to_i, "increments are lost"
      assert_empty result.events, "nobody waits in vain, or loses its turn"
      # Who waits has at most the turns of all others before it, and of those that overtake it as it was late.
      assert_operator result.turns.map(&:others).max, :<=, 2 * threads, result
    end
  end

  # A process is killed every so often, one that has the turn first.
  def test_killed_processes
    result = storm(8, 400) do |pids|
      4.times do |count|
        wait_until(250) { value.to_i >= 50 * count }
        pid = pids.shift
        Process.kill(:KILL, pid)
        Process.wait(pid)
      end
      pids
    end
    assert_equal 4, result.killed
    unsure = 4 * THREADS
    assert_includes result.turns.size..(result.turns.size + unsure), value.to_i, "increments are lost, or done twice"
    load.then { |stored| @backend.release(stored) }
    assert_empty((keys - %w[session]).select { |kind| @redis.call("PTTL", key(kind)) == -1 })
  end

  private

  def storm(processes, target, **options, &block)
    redis = { url: "#{RedisServer.shared.url}?store=#{@name}", timeout: 30 } # the server may be slow on a busy machine
    result = Frugal::WaitsBench::Storm.new(processes: processes, target: target, threads: THREADS, busy: BUSY) do
      Frugal::WaitsBench::SessionPlace.new(backend(redis, **options), ID)
    end.call(&block)
    puts "\n#{result}" if ENV["STORM_VERBOSE"]
    result
  end
end

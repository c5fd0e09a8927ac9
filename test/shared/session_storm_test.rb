# frozen_string_literal: true

require "digest"
require_relative "../test_helper"
require_relative "../support/stores"
require_relative "../../bench/waits/storm"
require "frugal/session"

# Many processes with threads that change one session, on a machine that is busy: no change is lost, nobody waits in vain, and
# nobody is overtaken. STORM_BUSY is the number of processes beside them; STORM_VERBOSE=1 prints what was measured.
class SessionStormTest < Frugal::TestCase
  include Stores

  THREADS = 4
  ID = "2::an-id"
  BUSY = Integer(ENV.fetch("STORM_BUSY", "4"))
  # On a very busy machine, the one that has the turn may be stopped for seconds.
  LIMIT = { lock_wait: 60 }.freeze
  PLACES = { files: -> { Frugal::Session::FileBackend.new(path("sessions"), lifetime: 100, **LIMIT) },
             sqlite: -> { Frugal::Session::SQLiteBackend.new(path("sessions.sqlite"), **LIMIT) } }.freeze

  def setup
    skip "needs fork, and locks of open files" unless Process.respond_to?(:fork) && RUBY_PLATFORM.include?("linux")
  end

  PLACES.each_key do |place|
    (QUICK ? [4] : [4, 32]).each do |processes|
      define_method("test_#{processes}_processes_with_#{place}") do
        threads = processes * THREADS
        result = storm(place, processes, [threads * 4, 128].max)
        assert_equal result.turns.size, value(place), "increments are lost"
        assert_empty result.events, "nobody waits in vain"
        # Between the look before and the place in the queue, a process may be stopped while the others have several turns
        # each. Half of all turns pass by only where there is no queue.
        assert_operator result.turns.map(&:others).max, :<=, result.turns.size / 2, result
      end
    end

    # A process is killed every so often: it has the turn, or waits for it with all of its threads.
    define_method("test_killed_processes_with_#{place}") do
      result = storm(place, 8, 300) do |pids|
        4.times do |count|
          sleep 0.005 until value(place) >= 40 * count
          pid = pids.shift
          Process.kill(:KILL, pid)
          Process.wait(pid)
        end
        pids
      end
      assert_equal 4, result.killed
      unsure = 4 * THREADS # killed between the commit and the report
      assert_includes result.turns.size..(result.turns.size + unsure), value(place), "increments are lost, or done twice"
      assert_empty result.events
    end
  end

  private

  def open(place) = Frugal::WaitsBench::SessionPlace.new(instance_exec(&PLACES.fetch(place)), ID)

  def storm(place, processes, target, &block)
    needs(:sqlite) if place == :sqlite
    open(place).create
    result = Frugal::WaitsBench::Storm.new(processes: processes, target: target, threads: THREADS, busy: BUSY) { open(place) }
                                      .call(&block)
    puts "\n#{name}: #{result}" if ENV["STORM_VERBOSE"]
    result
  end

  def value(place) = (@reader ||= open(place)).value
end

# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/stores"
require_relative "../support/failover_storm"
require_relative "../support/redis_cluster"
require_relative "../support/redis_sentinels"
require "frugal/session"

# Sessions and stores on a real cluster, and with real Sentinels, while a master is killed (kill -9) or hangs (SIGSTOP).
class SessionRedisFailoverTest < Frugal::TestCase
  include Stores

  Backend = Frugal::Session::RedisBackend
  # Seconds that no request may take: it waits 0.5 s for an answer (`timeout:`), at most some times.
  LONGEST = 20

  def setup
    needs(:redis)
  end

  def teardown
    @servers&.stop
  end

  { "is_killed" => [:kill.to_proc, :start.to_proc],
    "hangs" => [->(server) { server.signal(:STOP) }, ->(server) { server.signal(:CONT) }] }.each do |what, (stop, go_on)|
    define_method("test_a_cluster_whose_master_#{what}") { in_a_cluster(stop, go_on) }
  end

  def test_sentinels
    @servers = RedisSentinels.new.start
    ids = Array.new(6) { |number| "2::#{number}" }
    backend = Backend.new({ **@servers.options, wait: 1 })
    storm = FailoverStorm.new(backend, ids)
    storm.run do
      storm.await_changes
      fail_over(@servers.master) { Backend.new(@servers.options).load(ids[0], false) }
      storm.await_changes
    end
    check(storm, Backend.new(@servers.options))
  end

  # A store is in one slot; its transactions find the new master.
  def test_a_store_in_a_cluster
    cluster
    store = Frugal::Store.new("app", engine: :redis, redis: { cluster: @servers.urls, wait: 1, reconnect_attempts: [0.1] * 300 })
    store.transaction { 3.times { |number| store["key #{number}"] = number } }
    assert_equal [0, 1, 2], store.values_at("key 0", "key 1", "key 2")
    killed = @servers.master_of("frugal:{app}:clock")
    fail_over(killed) { store["key 0"] }
    assert_equal({ "key 0" => 0, "key 1" => 1, "key 2" => 2 }, store.each.to_h)
    error = assert_raises(Frugal::StoreUnavailable) { store["key 0"] = 1 }
    assert_match(/only 0 of 1 replicas/, error.message)
    killed.start
    @servers.wait_until("the killed one is a replica") { @servers.healthy? }
    assert_equal 5, store.update("key 0") { 5 }
  end

  private

  def in_a_cluster(stop, go_on)
    cluster
    ids = Array.new(8) { |number| "2::#{number}" }
    backend = Backend.new({ cluster: @servers.urls, wait: 1 })
    storm = FailoverStorm.new(backend, ids)
    killed = @servers.master_of(key_of(ids[0]))
    assert_operator ids.map { |id| @servers.master_of(key_of(id)) }.uniq.size, :>, 1, "sessions are on several nodes"
    storm.run do
      storm.await_changes
      fail_over(killed, stop) { Backend.new({ cluster: @servers.urls }).load(ids[0], false) }
      go_on.call(killed) # and is a replica by now: before, no replica can acknowledge
      storm.await_changes
    end
    check(storm, Backend.new({ cluster: @servers.urls }))
  end

  def cluster
    skip "the gem redis-cluster-client is not installed: bin/setup --stores" unless StoreGems::CLUSTER

    @servers = RedisCluster.new.start
  end

  def key_of(id) = "frugal:sessions:{#{Digest::SHA256.hexdigest(id)}}:session"

  # Prints how long it took until the block finds something again.
  def fail_over(server, stop = :kill.to_proc, &block)
    stop.call(server)
    start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    sleep 0.01 until (found = answer(&block)) || since(start) > 60
    @recovery = since(start)
    assert found, "no new master after 60 s"
  end

  def answer
    yield
  rescue Frugal::Error
    nil
  end

  def since(start) = Process.clock_gettime(Process::CLOCK_MONOTONIC) - start

  def check(storm, backend)
    puts format("\n%s: a new master after %.1f s; %s", name, @recovery, storm)
    assert_empty storm.wrong(backend), storm
    assert_operator storm.counters.map(&:longest).max, :<, LONGEST
    assert_operator storm.counters.sum(&:unsure), :<, storm.counters.sum(&:done)
  end
end

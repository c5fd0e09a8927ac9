# frozen_string_literal: true

require_relative "redis_server"

# Masters with a replica each, on loopback, for a test that may kill them.
#
#   cluster = RedisCluster.new.start
#   cluster.urls                  # of all nodes
#   cluster.master_of("a{b}")     # => the RedisServer that has the slot of this key
#   cluster.stop
class RedisCluster
  SLOTS = 16_384
  TIMEOUT = 1000 # milliseconds after which a silent node is down

  # One node for all tests of this process.
  #
  # @return [RedisCluster]
  def self.shared
    @shared ||= new(masters: 1, replicas: 0).start.tap { |cluster| Minitest.after_run { cluster.stop } }
  end

  attr_reader :servers

  # @param replicas [Integer] of each master: 0 or 1
  def initialize(masters: 3, replicas: 1)
    @masters = masters
    @replicas = replicas
  end

  def start
    ports = Array.new(@masters * (1 + @replicas)) { Frugal::Bench::FreePort.take }
    @servers = ports.map { |port| RedisServer.new(**options(port)).start }
    masters, replicas = @servers.each_slice(@masters).to_a
    assign_slots(masters)
    @servers[1..].each { |server| command(server, "CLUSTER", "MEET", "127.0.0.1", @servers[0].port, ports[0]) }
    wait_until("the nodes know each other") { @servers.all? { |server| nodes(server).size == @servers.size } }
    replicas&.zip(masters) { |replica, master| command(replica, "CLUSTER", "REPLICATE", command(master, "CLUSTER", "MYID")) }
    wait_until("the cluster works") { healthy? }
    self
  rescue StandardError
    stop
    raise
  end

  def urls = @servers.map(&:url)

  def master_of(key)
    alive = @servers.find(&:pid)
    slot = command(alive, "CLUSTER", "KEYSLOT", key)
    _, _, (_, port) = command(alive, "CLUSTER", "SLOTS").find { |first, last,| slot.between?(first, last) }
    @servers.find { |server| server.port == port }
  end

  # @return [Boolean] whether all slots are served, and each master has a replica that is connected
  def healthy?
    @servers.select(&:pid).all? do |server|
      command(server, "CLUSTER", "INFO").include?("cluster_state:ok") &&
        command(server, "ROLE").then { |role| role[0] == "master" ? role[2].size == @replicas : role[3] == "connected" }
    end
  rescue RedisClient::Error
    false
  end

  def stop = @servers&.each(&:stop)

  def wait_until(what, limit = 60)
    deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + limit
    until yield
      raise "#{what}: not after #{limit} s" if Process.clock_gettime(Process::CLOCK_MONOTONIC) > deadline

      sleep 0.02
    end
  end

  def command(server, *words)
    client = RedisClient.config(host: "127.0.0.1", port: server.port, timeout: 10).new_client
    client.call(*words)
  ensure
    client&.close
  end

  private

  # @param port [Integer] that the nodes use among themselves; the first one and 10,000 more may be too much
  def options(port)
    { cluster_enabled: "yes", cluster_config_file: "nodes.conf", cluster_node_timeout: TIMEOUT, cluster_port: port,
      cluster_announce_ip: "127.0.0.1", repl_diskless_sync_delay: 0 }
  end

  def assign_slots(masters)
    share = (SLOTS / @masters.to_f).ceil
    masters.each_with_index do |master, index|
      first = index * share
      command(master, "CLUSTER", "ADDSLOTSRANGE", first, [first + share, SLOTS].min - 1)
      command(master, "CLUSTER", "SET-CONFIG-EPOCH", index + 1)
    end
  end

  def nodes(server) = command(server, "CLUSTER", "NODES").lines.grep(/ connected/)
end

# frozen_string_literal: true

require_relative "redis_server"

# A master, two replicas and three Sentinels that watch it, on loopback, for a test that may kill the master.
class RedisSentinels
  NAME = "mymaster"
  QUORUM = 2

  # @return [Array<Hash>] host and port of each Sentinel
  attr_reader :addresses
  attr_reader :master

  def start
    @folder = Dir.mktmpdir("frugal-sentinels")
    @pids = []
    @master = RedisServer.new(repl_diskless_sync_delay: 0).start
    @replicas = Array.new(2) do
      RedisServer.new(repl_diskless_sync_delay: 0, replicaof: "127.0.0.1 #{@master.port}").start
    end
    ports = Array.new(3) { Frugal::Bench::FreePort.take }
    @addresses = ports.map { |port| { host: "127.0.0.1", port: port } }
    @pids = ports.map { |port| sentinel(port) }
    wait_until { ports.all? { |port| ready?(port) } }
    self
  end

  def options = { sentinels: @addresses, name: NAME }

  def stop
    @pids&.each { |pid| Process.kill(:KILL, pid) }&.each { |pid| Process.wait(pid) }
    [@master, *@replicas].compact.each(&:stop)
    FileUtils.rm_rf(@folder) if @folder
  end

  private

  # It writes its configuration again and again.
  def sentinel(port)
    file = "#{@folder}/#{port}.conf"
    File.write(file, <<~CONF)
      port #{port}
      bind 127.0.0.1
      dir #{@folder}
      logfile #{@folder}/#{port}.log
      sentinel monitor #{NAME} 127.0.0.1 #{@master.port} #{QUORUM}
      sentinel down-after-milliseconds #{NAME} 1000
      sentinel failover-timeout #{NAME} 5000
    CONF
    spawn(RedisServer::PROGRAM, file, "--sentinel", in: File::NULL, out: File::NULL, err: File::NULL, pgroup: true)
  end

  # @return [Boolean] whether it knows the others and both replicas
  def ready?(port)
    client = RedisClient.config(host: "127.0.0.1", port: port, timeout: 5).new_client
    state = client.call("SENTINEL", "MASTER", NAME)
    state["num-other-sentinels"] == "2" && state["num-slaves"] == "2" && state["flags"] == "master"
  rescue RedisClient::Error
    false
  ensure
    client&.close
  end

  def wait_until(limit = 60)
    deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + limit
    until yield
      raise "the Sentinels are not ready after #{limit} s" if Process.clock_gettime(Process::CLOCK_MONOTONIC) > deadline

      sleep 0.02
    end
  end
end

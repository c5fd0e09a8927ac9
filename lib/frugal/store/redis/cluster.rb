# frozen_string_literal: true

begin
  require "redis_cluster_client"
rescue LoadError
  raise Frugal::UsageError, "redis: cluster: needs the gem redis-cluster-client, which is not installed: add " \
                            "gem \"redis-cluster-client\", \"~> 0.17\" to the Gemfile, " \
                            "or gem install redis-cluster-client"
end

module Frugal
  class Store
    module Redis
      # The client of a cluster for all threads of a process. Each thread uses its own connection to a node. A forked
      # process connects again.
      #
      # After a failure it immediately reads the nodes of the cluster again; the gem may wait ten seconds for that.
      class Cluster
        MOST = 65_536 # connections to one node: one for each thread that uses it at the same moment
        RENEWED = 0.1 # seconds between two renewals
        NOT_YET = %w[CLUSTERDOWN TRYAGAIN LOADING MASTERDOWN].freeze
        MOVES = %w[MOVED ASK].freeze
        private_constant :MOST, :RENEWED, :NOT_YET, :MOVES

        # A client that also returns the node of a command, which the gem does not offer. WAIT needs it, because it is
        # about the writes of one connection.
        class Routed < ::RedisClient::Cluster
          # @return [RedisClient::Pooled]
          def primary_of(command) = router.find_node(router.find_primary_node_key(command))
        end

        # @param cluster [Array<String, Hash>] addresses of some nodes
        # @param options [Hash] of RedisClient
        # @return [Cluster]
        # @raise [UsageError]
        def self.of(cluster:, reconnect_attempts: [], **options)
          pauses = Integer === reconnect_attempts ? [0] * reconnect_attempts : Array(reconnect_attempts)
          new(RedisClient::ClusterConfig.new(nodes: cluster, **options), pauses)
        rescue RedisClient::Error => e
          raise UsageError, "redis: cluster: #{e.message}"
        end

        # @return [RedisClient::ClusterConfig]
        attr_reader :config

        # @param pauses [Array<Numeric>] seconds before each new attempt
        def initialize(config, pauses)
          @config = config
          @pauses = pauses
          @patience = [config.read_timeout, pauses.sum].max
          @lock = Thread::Mutex.new
          @renewed = -Float::INFINITY
        end

        def call_v(command) = repeated { |routed| routed.call_v(command) }

        def blocking_call_v(timeout, command) = routed.blocking_call_v(timeout, command)

        # @return [Array(Object, Integer)] the answer, and how many replicas have the write
        def call_and_wait(command, replicas, milliseconds)
          repeated do |routed|
            routed.primary_of(command).pipelined do |pipeline|
              pipeline.call_v(command)
              pipeline.blocking_call_v(milliseconds / 1000.0, ["WAIT", replicas, milliseconds])
            end
          rescue RedisClient::CommandError => e
            raise unless MOVES.include?(e.code)

            routed.call_v(command) # goes to the node that has the key now; the retry sends it there again, with WAIT
            raise RedisClient::ConnectionError, e.message
          end
        end

        def close = @lock.synchronize { @routed&.close }

        private

        def routed
          @lock.synchronize do
            @routed = nil unless @pid == Process.pid
            @pid = Process.pid
            @routed ||= Routed.new(@config, pool: { size: MOST, timeout: @config.read_timeout })
          end
        end

        def repeated
          start = now
          tries = 0
          begin
            yield client = routed
          rescue RedisClient::Error => e
            raise unless lost?(e)

            renew(client)
            pause = @pauses[tries]
            raise if pause.nil? || now - start >= @patience

            tries += 1
            sleep(pause) if pause.positive?
            retry
          end
        end

        # @return [Boolean] whether another node may have the answer soon
        def lost?(error)
          return NOT_YET.include?(error.code) if RedisClient::CommandError === error

          RedisClient::ConnectionError === error || RedisClient::Cluster::Error === error
        end

        # Replaces the client. Other threads may still use the old client.
        def renew(client)
          @lock.synchronize do
            next if !@routed.equal?(client) || now - @renewed < RENEWED

            @renewed = now
            @routed = nil
          end
        end

        def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
      end
    end
  end
end

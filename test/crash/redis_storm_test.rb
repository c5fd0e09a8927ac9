# frozen_string_literal: true

# needs: redis

require_relative "safety_case"
require_relative "redis_storm_campaign"
require "frugal/store"

# A few kills of a Redis server; redis_storm.rb makes more.
class RedisStormTest < SafetyCase
  def setup
    super
    skip "the gem redis-client is not installed: bin/setup --stores" unless StoreGems::AVAILABLE.include?(:redis)
    skip "no Redis server is installed: bin/setup --redis" unless RedisServer.available?
  end

  { "clients_that_wait" => {}, "clients_that_give_up" => { reconnects: [0] } }.each do |name, options|
    define_method("test_#{name}") do
      result = Safety::RedisStormCampaign.new(kills: 5, seed: SEED, **options).call
      puts "\n#{result}" if ENV["CRASH_VERBOSE"]
      assert_empty result.wrong, result
      assert_operator result.acknowledged, :>, 20, result
    end
  end
end

# frozen_string_literal: true

# Two processes count in two stores of one Redis server, which is killed (kill -9) and started again meanwhile.
# At the end each acknowledged increment is there exactly once.
#
#   ruby test/crash/redis_storm.rb
#   ruby test/crash/redis_storm.rb --kills 500 --seed 7
#
# Exit status: 0 if nothing is lost, done twice or torn, 1 if something is, 2 for wrong arguments.
$LOAD_PATH.unshift(File.expand_path("../../lib", __dir__))
require "optparse"
require_relative "redis_storm_campaign"

options = { kills: 30, seed: 5 }
begin
  OptionParser.new do |parser|
    parser.on("--kills N", Integer) { |number| options[:kills] = number }
    parser.on("--seed N", Integer) { |number| options[:seed] = number }
  end.parse!
rescue OptionParser::ParseError => e
  warn e.message
  exit 2
end
abort "redis_storm: there is no gem redis-client, or no Redis server: bin/setup --stores --redis" unless
  StoreGems::AVAILABLE.include?(:redis) && RedisServer.available?

require "frugal/store"
patient = Safety::RedisStormCampaign.new(**options).call
hasty = Safety::RedisStormCampaign.new(**options, reconnects: [0]).call
wrong = patient.wrong + hasty.wrong
puts wrong.empty? ? "nothing is lost, done twice or torn (seed #{options[:seed]})" : "VIOLATED (seed #{options[:seed]})"
puts "clients that wait for the server: #{patient}", "clients that give up at once: #{hasty}", wrong.first(20)
exit wrong.empty? ? 0 : 1

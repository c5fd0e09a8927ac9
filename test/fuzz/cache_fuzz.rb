# frozen_string_literal: true

# Differential fuzzer: random calls of the file stores of ActiveSupport and Sprockets, stock and with the drop-in.
#
#   bin/setup --caches
#   ruby test/fuzz/cache_fuzz.rb --cases 2000
#   ruby test/fuzz/cache_fuzz.rb --upstream activesupport-7.0.8.7 --seed 7 --only-case 41
#
# Exit status: 0 without a difference, 1 with one (printed), 2 misuse.
require "optparse"
require_relative "cache/campaign"

known = Caches.all("activesupport") + Caches.all("sprockets")
options = { cases: 500, seed: Random.new_seed % 1_000_000_000, upstreams: known }
parser = OptionParser.new do |opts|
  opts.banner = "Usage: ruby test/fuzz/cache_fuzz.rb [options]"
  opts.on("--cases N", Integer, "how many cases a version (500)") { |value| options[:cases] = value }
  opts.on("--seed S", Integer, "the random seed (fresh, printed)") { |value| options[:seed] = value }
  opts.on("--only-case K", Integer, "run one case") { |value| options[:only] = value }
  opts.on("--upstream NAME", known, "one version only: #{known.join(", ")}") { |value| options[:upstreams] = [value] }
  opts.on("--plant FILE", "break the drop-in by this file") { |value| options[:plant] = File.expand_path(value) }
  opts.on("--control", "stock against stock") { options[:control] = true }
end
begin
  parser.parse!
rescue OptionParser::ParseError => error
  warn error.message, parser.help
  exit 2
end

puts "seed #{options[:seed]}"
numbers = options[:only] ? [options[:only]] : 0...options[:cases]
options[:upstreams].each do |upstream|
  campaign = CacheFuzz::Campaign.new(upstream, seed: options[:seed], control: options[:control], plant: options[:plant])
  numbers.each_slice(options[:plant] ? 20 : 250) { |some| campaign.run(some)&.then { |difference| abort difference } }
  puts "#{upstream}: #{numbers.size} cases, no difference"
end

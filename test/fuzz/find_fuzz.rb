# frozen_string_literal: true

# Differential fuzzer: random trees and random blocks under stock Find and under the drop-in.
#
#   ruby test/fuzz/find_fuzz.rb --cases 2000
#   ruby test/fuzz/find_fuzz.rb --seed 7 --only-case 41
#
# Exit status: 0 without a difference, 1 with one (printed), 2 misuse.
require "optparse"
require_relative "find/campaign"

options = { cases: 1000, seed: Random.new_seed % 1_000_000_000 }
parser = OptionParser.new do |opts|
  opts.banner = "Usage: ruby test/fuzz/find_fuzz.rb [options]"
  opts.on("--cases N", Integer, "how many cases (1000)") { |value| options[:cases] = value }
  opts.on("--seed S", Integer, "the random seed (fresh, printed)") { |value| options[:seed] = value }
  opts.on("--only-case K", Integer, "run one case") { |value| options[:only] = value }
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
difference = FindFuzz::Campaign.new(seed: options[:seed], control: options[:control]).run(numbers)
puts difference || "#{numbers.size} cases, no difference"
exit(difference ? 1 : 0)

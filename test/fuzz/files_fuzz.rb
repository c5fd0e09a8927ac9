# frozen_string_literal: true

# Differential fuzzer: random trees and random requests, compares Frugal::Files to Rack::Files.
#
#   ruby test/fuzz/files_fuzz.rb --cases 5000
#   ruby test/fuzz/files_fuzz.rb --rack 2.2.17 --engine pure
#   ruby test/fuzz/files_fuzz.rb --seed 7 --only-case 41
#
# Exit status: 0 without a difference, 1 with one (printed), 2 misuse.
require_relative "command"
require_relative "../support/racks"

command = Fuzz::Command.new(cases: 1000, of: "trees", without: [:control]) do |parser|
  parser.on("--rack V", "a version of Rack in tmp/webs (#{Racks::NEWEST})")
  parser.on("--engine E", "c or pure") { |engine| ENV["FRUGAL_ENGINE"] = engine }
  parser.on("--mutant NAME", "put in a bug of files/mutants.rb, which must be found")
end
command.run do |numbers|
  Racks.load(*command.options[:rack]) or raise Fuzz::Unfit, WebGems::MISSING
  require_relative "files/campaign"
  campaign = FilesFuzz::Campaign.new(seed: command.options[:seed], mutant: command.options[:mutant])
  difference = campaign.run(numbers)
  puts "#{numbers.size} trees, no difference; #{campaign.tally}" unless difference
  difference
end

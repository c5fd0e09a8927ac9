# frozen_string_literal: true

# Differential fuzzer: random trees and random blocks, under stock Find and under the drop-in.
#
#   ruby test/fuzz/find_fuzz.rb --cases 2000
#   ruby test/fuzz/find_fuzz.rb --seed 7 --only-case 41
#
# Exit status: 0 no difference, 1 a difference (printed), 2 wrong usage.
require_relative "command"
require_relative "find/campaign"

command = Fuzz::Command.new(cases: 1000)
command.run do |numbers|
  difference = FindFuzz::Campaign.new(**command.options.slice(:seed, :control)).run(numbers)
  puts "#{numbers.size} cases, no difference" unless difference
  difference
end

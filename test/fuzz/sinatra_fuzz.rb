# frozen_string_literal: true

# Differential fuzzer: random Sinatra applications and random requests to them, stock and with the drop-in.
#
#   bin/setup --webs
#   ruby test/fuzz/sinatra_fuzz.rb --cases 5000
#   ruby test/fuzz/sinatra_fuzz.rb --upstream 4.2.1 --seed 7 --only-case 41
#
# Exit status: 0 without a difference, 1 with one (printed), 2 misuse.
require_relative "command"
require_relative "sinatra/campaign"

known = Sinatras.all
command = Fuzz::Command.new(cases: 500, of: "applications for each version") do |parser|
  parser.on("--upstream VERSION", known, "one version only: #{known.join(", ")}")
  parser.on("--plant FILE", "break the drop-in by this file") { |file| File.expand_path(file) }
end
upstream, plant = command.options.values_at(:upstream, :plant)
command.run do |numbers|
  raise Fuzz::Unfit, "there is no Sinatra to compare with: bin/setup --webs" if known.empty?

  (upstream ? [upstream] : known).lazy.filter_map { |version|
    campaign = SinatraFuzz::Campaign.new(version, **command.options.slice(:seed, :control, :plant))
    difference = numbers.each_slice(plant ? 50 : 250).lazy.filter_map { |some| campaign.run(some) }.first
    puts "Sinatra #{version}: #{numbers.size} applications, no difference" unless difference
    difference
  }.first
end

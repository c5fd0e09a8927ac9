# frozen_string_literal: true

# Differential fuzzer: random calls of the file stores of ActiveSupport and Sprockets, stock and with the drop-in.
#
#   bin/setup --caches
#   ruby test/fuzz/cache_fuzz.rb --cases 2000
#   ruby test/fuzz/cache_fuzz.rb --upstream activesupport-7.0.8.7 --seed 7 --only-case 41
#
# Exit status: 0 without a difference, 1 with one (printed), 2 misuse.
require_relative "command"
require_relative "cache/campaign"

known = Caches.all("activesupport") + Caches.all("sprockets")
command = Fuzz::Command.new(cases: 500, of: "cases of each version") do |parser|
  parser.on("--upstream NAME", known, "one version only: #{known.join(", ")}")
  parser.on("--plant FILE", "break the drop-in by this file") { |file| File.expand_path(file) }
end
upstream, plant = command.options.values_at(:upstream, :plant)
command.run_on(upstream ? [upstream] : known, at_once: plant ? 20 : 250, missing: "there is no cache to compare with: bin/setup --caches") do |version, numbers|
  CacheFuzz::Campaign.new(version, **command.options.slice(:seed, :control, :plant)).run(numbers)
end

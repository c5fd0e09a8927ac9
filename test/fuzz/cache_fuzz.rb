# frozen_string_literal: true

# Differential fuzzer: random calls of the file stores of ActiveSupport and Sprockets, stock and with the drop-in.
#
#   bin/setup --caches
#   ruby test/fuzz/cache_fuzz.rb --cases 2000
#   ruby test/fuzz/cache_fuzz.rb --upstream activesupport-7.0.8.7 --seed 7 --only-case 41
#
# Exit status: 0 no difference, 1 a difference (printed), 2 wrong usage.
require_relative "command"
require_relative "cache/campaign"

known = Caches.all("activesupport") + Caches.all("sprockets")
command = Fuzz::Command.new(cases: 500, of: "cases of each version") do |parser|
  parser.on("--upstream NAME", known, "only this version: #{known.join(", ")}")
  parser.on("--mutant FILE", "break the drop-in by this file") { |file| File.expand_path(file) }
end
upstream, mutant = command.options.values_at(:upstream, :mutant)
versions = upstream ? [upstream] : known
missing = "no version of ActiveSupport or Sprockets is installed for this: bin/setup --caches"
command.run_on(versions, at_once: mutant ? 20 : 250, missing: missing) do |version, numbers|
  CacheFuzz::Campaign.new(version, **command.options.slice(:seed, :control, :mutant)).run(numbers)
end

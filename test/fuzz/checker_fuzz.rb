# frozen_string_literal: true

# Differential fuzzer: random changes of a tree between the questions of ActiveSupport::FileUpdateChecker, which
# two checkers watch: stock, and with the drop-in.
#
#   bin/setup --caches
#   ruby test/fuzz/checker_fuzz.rb --cases 3000
#   ruby test/fuzz/checker_fuzz.rb --upstream activesupport-7.0.8.7 --seed 7 --only-case 41
#
# Exit status: 0 no difference, 1 a difference (printed), 2 wrong usage.
require_relative "command"
require_relative "checker/campaign"

known = Caches.all("activesupport")
command = Fuzz::Command.new(cases: 500, of: "cases of each version", without: [:control]) do |parser|
  parser.on("--upstream NAME", known, "only this version: #{known.join(", ")}")
  parser.on("--mutant FILE", "break the drop-in by this file") { |file| File.expand_path(file) }
end
upstream, mutant = command.options.values_at(:upstream, :mutant)
missing = "no version of ActiveSupport is installed for this: bin/setup --caches"
command.run_on(upstream ? [upstream] : known, at_once: 500, missing: missing) do |version, numbers|
  CheckerFuzz::Campaign.new(version, seed: command.options[:seed], mutant: mutant).run(numbers)
end

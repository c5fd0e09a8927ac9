# frozen_string_literal: true

# Differential fuzzer: random Sinatra applications and random requests to them, with stock and with the drop-in.
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
  parser.on("--mutant FILE", "break the drop-in by this file") { |file| File.expand_path(file) }
end
upstream, mutant = command.options.values_at(:upstream, :mutant)
command.run_on(upstream ? [upstream] : known, at_once: mutant ? 50 : 250,
                                              missing: "no Sinatra is installed: run bin/setup --webs") do |version, numbers|
  SinatraFuzz::Campaign.new(version, **command.options.slice(:seed, :control), mutant: mutant).run(numbers)
end

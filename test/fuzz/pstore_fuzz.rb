# frozen_string_literal: true

# Differential fuzzer: random programs on PStore, each run by stock and by the
# drop-in in processes and folders of their own. What the program got, which
# errors, and what is on the disk after each step has to be the same.
#
#   bin/setup --pstores
#   ruby test/fuzz/pstore_fuzz.rb --cases 20000                 # every version, both engines
#   ruby test/fuzz/pstore_fuzz.rb --versions 0.3.0 --engines c --seed 7 --only-case 123
#
# Exit status: 0 without a difference, 1 with some (printed), 2 misuse.
require_relative "command"
require_relative "pstore/campaign"

command = Fuzz::Command.new(cases: 1000, of: "cases of each version", without: %i[control]) do |parser|
  parser.on("--versions A,B", Array, "of PStore (#{PStoreFuzz::Campaign::VERSIONS.join(",")})")
  parser.on("--engines A,B", Array, "the drop-in's (#{PStoreFuzz::Campaign::ENGINES.join(",")})")
end
command.run { |numbers| PStoreFuzz::Campaign.new(**command.options.slice(:seed, :versions, :engines)).run(numbers) }

# frozen_string_literal: true

# Differential fuzzer: random programs on PStore. Stock and the drop-in run each program in
# separate processes and folders. Results, errors, and the content of the disk after each
# step must be the same.
#
#   bin/setup --pstores
#   ruby test/fuzz/pstore_fuzz.rb --cases 20000                 # every version, both engines
#   ruby test/fuzz/pstore_fuzz.rb --versions 0.3.0 --engines c --seed 7 --only-case 123
#   ruby test/fuzz/pstore_fuzz.rb --ruby bin/jruby --engines pure
#
# Exit status: 0 without a difference, 1 with differences (printed), 2 for wrong arguments.
require_relative "command"
require_relative "pstore/campaign"

command = Fuzz::Command.new(cases: 1000, of: "cases of each version", without: %i[control]) do |parser|
  parser.on("--versions A,B", Array, "versions of PStore (#{PStoreFuzz::Campaign::VERSIONS.join(",")})")
  parser.on("--engines A,B", Array, "engines of the drop-in (#{PStoreFuzz::Campaign::ENGINES.join(",")})")
  parser.on("--ruby PATH", "another Ruby for both sides, such as bin/jruby (then: --engines pure)")
end
command.run { |numbers| PStoreFuzz::Campaign.new(**command.options.slice(:seed, :versions, :engines, :ruby)).run(numbers) }

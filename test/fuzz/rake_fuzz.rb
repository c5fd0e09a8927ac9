# frozen_string_literal: true

# Differential fuzzer: random Rakefiles under stock Rake and under the drop-in.
#
#   ruby test/fuzz/rake_fuzz.rb --cases 2000
#   ruby test/fuzz/rake_fuzz.rb --seed 7 --only-case 41 --engine pure
#
# Exit status: 0 without a difference, 1 with one (printed, minimal), 2 misuse.
require_relative "command"
require_relative "campaign"
require_relative "report"

command = Fuzz::Command.new(cases: 1000) do |parser|
  parser.on("--engine NAME", %w[c pure], "the drop-in's engine (its own choice)")
  parser.on("--rake DIR", "folder of an unpacked rake gem (the installed one)")
  parser.on("--jobs N", Integer, "processes (2)")
  parser.on("--plant BUG", "plant a bug of test/fuzz/plants")
  parser.on("--limit N", Integer, "differences after which a job stops (1)")
  parser.on("--keep DIR", "write what differs there")
  parser.on("--[no-]minimize", "show differing cases in small, which takes time (yes)")
  parser.on("--show", "print the Rakefiles, run nothing")
end
options = { jobs: 2, limit: 1, rake: Gem::Specification.find_by_name("rake").full_gem_path, **command.options }
if options[:show]
  command.numbers.each { |number| puts RakeFuzz::Generator.new(options[:seed], number).call.to_source }
  exit
end

command.run do |numbers|
  result = RakeFuzz::Campaign.new(numbers: numbers, **options.slice(:seed, :jobs, :limit, :engine, :plant, :control, :rake, :minimize)).run
  RakeFuzz::Report.new(options).print(result)
  result.differences.any?
end

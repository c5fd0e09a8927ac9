# frozen_string_literal: true

# Differential fuzzer: random Rakefiles, run by stock Rake and by Rake with the drop-in.
#
#   ruby test/fuzz/rake_fuzz.rb --cases 2000
#   ruby test/fuzz/rake_fuzz.rb --seed 7 --only-case 41 --engine pure
#
# Exit status: 0 no difference, 1 a difference (printed, minimal), 2 wrong usage.
require_relative "command"
require_relative "rake/campaign"
require_relative "rake/report"

command = Fuzz::Command.new(cases: 1000) do |parser|
  parser.on("--engine NAME", %w[c pure], "the drop-in's engine (default: the one it chooses)")
  parser.on("--rake DIR", "folder of an unpacked rake gem (default: the installed one)")
  parser.on("--ruby PATH", "bin/jruby, for cases that need no process of their own (then: --engine pure)")
  parser.on("--jobs N", Integer, "processes (2)")
  parser.on("--mutant NAME", "break the drop-in by a file of test/fuzz/rake/mutants")
  parser.on("--limit N", Integer, "differences after which a job stops (1)")
  parser.on("--keep DIR", "write the cases that differ into it")
  parser.on("--[no-]minimize", "reduce cases that differ, which takes time (yes)")
  parser.on("--show", "print the cases, run none")
end
options = { jobs: 2, limit: 1, rake: Gem::Specification.find_by_name("rake").full_gem_path, **command.options }
if options[:show]
  command.numbers.each { |number| puts RakeFuzz::Generator.new(options[:seed], number).call.to_source }
  exit
end

command.run do |numbers|
  settings = options.slice(:seed, :jobs, :limit, :engine, :mutant, :control, :rake, :minimize, :ruby)
  result = RakeFuzz::Campaign.new(numbers: numbers, **settings).run
  RakeFuzz::Report.new(options).print(result)
  result.differences.any?
end

# frozen_string_literal: true

# Differential fuzzer: random Rakefiles under stock Rake and under the drop-in.
#
#   ruby test/fuzz/rake_fuzz.rb --cases 2000
#   ruby test/fuzz/rake_fuzz.rb --seed 7 --only-case 41 --engine pure
#
# Exit status: 0 without a difference, 1 with one (printed, minimal), 2 misuse.
require "optparse"
require_relative "campaign"
require_relative "report"

options = { cases: 1000, seed: Random.new_seed % 1_000_000_000, jobs: 2, limit: 1 }
parser = OptionParser.new do |opts|
  opts.banner = "Usage: ruby test/fuzz/rake_fuzz.rb [options]"
  opts.on("--cases N", Integer, "how many cases (1000)") { |value| options[:cases] = value }
  opts.on("--seed S", Integer, "the random seed (fresh, printed)") { |value| options[:seed] = value }
  opts.on("--engine NAME", %w[c pure], "the drop-in's engine (its own choice)") { |value| options[:engine] = value }
  opts.on("--rake DIR", "folder of an unpacked rake gem (the installed one)") { |value| options[:rake] = value }
  opts.on("--only-case K", Integer, "run one case and show it") { |value| options[:only] = value }
  opts.on("--jobs N", Integer, "processes (2)") { |value| options[:jobs] = value }
  opts.on("--plant BUG", "plant a bug of test/fuzz/plants") { |value| options[:plant] = value }
  opts.on("--control", "stock against stock") { options[:control] = true }
  opts.on("--limit N", Integer, "differences after which a job stops (1)") { |value| options[:limit] = value }
  opts.on("--keep DIR", "write what differs there") { |value| options[:keep] = value }
  opts.on("--no-minimize", "show differing cases in full") { options[:minimize] = false }
  opts.on("--show", "print the Rakefiles, run nothing") { options[:show] = true }
end
begin
  parser.parse!
rescue OptionParser::ParseError => error
  warn error.message, parser.help
  exit 2
end

numbers = options[:only] ? [options[:only]] : 0...options[:cases]
if options[:show]
  numbers.each { |number| puts RakeFuzz::Generator.new(options[:seed], number).call.to_source }
  exit
end

puts "seed #{options[:seed]}"
options[:rake] ||= Gem::Specification.find_by_name("rake").full_gem_path
result = RakeFuzz::Campaign.new(numbers: numbers, **options.slice(:seed, :jobs, :limit, :engine, :plant, :control, :rake, :minimize)).run
RakeFuzz::Report.new(options).print(result)
exit(result.differences.empty? ? 0 : 1)

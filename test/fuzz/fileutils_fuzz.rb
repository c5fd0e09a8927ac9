# frozen_string_literal: true

# Differential fuzzer: random calls on random trees, under stock FileUtils and under the drop-in.
#
#   ruby test/fuzz/fileutils_fuzz.rb --cases 5000
#   ruby test/fuzz/fileutils_fuzz.rb --seed 7 --only-case 41
#   ruby -I ~/src/fileutils/lib test/fuzz/fileutils_fuzz.rb    # another version
#
# Exit status: 0 without a difference, 1 with one (printed), 2 misuse.
require "optparse"
require "tmpdir"

memory = "/dev/shm"
options = { folder: File.writable?(memory) ? memory : Dir.tmpdir, cases: 1000, seed: Random.new_seed % 1_000_000_000 }
parser = OptionParser.new do |opts|
  opts.banner = "Usage: ruby test/fuzz/fileutils_fuzz.rb [options]"
  opts.on("--cases N", Integer, "how many cases (1000)") { |value| options[:cases] = value }
  opts.on("--seed S", Integer, "the random seed (fresh, printed)") { |value| options[:seed] = value }
  opts.on("--only-case K", Integer, "run one case") { |value| options[:only] = value }
  opts.on("--folder DIR", "on another file system (#{options[:folder]})") { |value| options[:folder] = value }
  opts.on("--plant NAME", "a bug in the drop-in, to be found") { |value| options[:plant] = value }
  opts.on("--control", "stock against stock") { options[:control] = true }
end
begin
  parser.parse!
rescue OptionParser::ParseError => error
  warn error.message, parser.help
  exit 2
end

require_relative "fileutils/campaign"

FileutilsFuzz::Plants.put(options[:plant]) if options[:plant]
puts "seed #{options[:seed]}, fileutils #{FileUtils::VERSION}"
numbers = options[:only] ? [options[:only]] : 0...options[:cases]
campaign = FileutilsFuzz::Campaign.new(**options.slice(:seed, :folder, :control))
difference = campaign.run(numbers)
puts difference || "#{numbers.size} cases, #{campaign.late} of them too slow, no difference"
exit(difference ? 1 : 0)

# frozen_string_literal: true

# Differential fuzzer: random calls on random trees, under stock FileUtils and under the drop-in.
#
#   ruby test/fuzz/fileutils_fuzz.rb --cases 5000
#   ruby test/fuzz/fileutils_fuzz.rb --seed 7 --only-case 41
#   ruby -I ~/src/fileutils/lib test/fuzz/fileutils_fuzz.rb    # another version
#   ruby test/fuzz/fileutils_fuzz.rb --jruby                   # the calls are made by JRuby
#
# Exit status: 0 no difference, 1 a difference (printed), 2 wrong usage.
require "tmpdir"
require_relative "command"
require_relative "fileutils/campaign"
require_relative "fileutils/jruby"

memory = "/dev/shm"
folder = File.writable?(memory) ? memory : Dir.tmpdir
command = Fuzz::Command.new(cases: 1000) do |parser|
  parser.on("--folder DIR", "where to make the trees (#{folder})") { |other| folder = other }
  parser.on("--jruby [COMMAND]", "make the calls in JRuby, or in the process of this command") { |other| other || "" }
  parser.on("--mutant NAME", FileutilsFuzz::Mutants::ALL.keys, "break the drop-in in one of the ways of mutants.rb")
end

options = command.options
FileutilsFuzz::Mutants.apply(options[:mutant]) if options[:mutant] && !options[:jruby]
command.run do |numbers|
  ruby = FileutilsFuzz::JRuby.new(*options.values_at(:jruby, :mutant)) if options[:jruby]
  puts "fileutils #{FileUtils::VERSION}" unless ruby
  campaign = FileutilsFuzz::Campaign.new(folder: folder, ruby: ruby, **options.slice(:seed, :control))
  difference = campaign.run(numbers)
  puts "#{numbers.size} cases, #{campaign.late} of them too slow, no difference" unless difference
  difference
ensure
  ruby&.close
end

# frozen_string_literal: true

# Differential fuzzer: random patterns, several and in braces, with bases and
# flags, on random trees; Ruby's Dir.glob against the drop-in's, in one process.
#
#   ruby test/fuzz/glob_fuzz.rb --cases 20000
#   ruby test/fuzz/glob_fuzz.rb --seed 7
#
# Exit status: 0 without a difference, 1 with one (printed), 2 misuse.
require_relative "command"
require_relative "glob/campaign"

command = Fuzz::Command.new(cases: 2000, without: %i[only-case control])
# Root may read everything: what cannot be read is a case too.
Process::UID.change_privilege(65_534) if Process.uid.zero?
Dir.chdir("/") # where it may always come back to
command.run do |numbers|
  campaign = GlobFuzz::Campaign.new(seed: command.options[:seed])
  difference = campaign.run(numbers)
  puts "#{campaign.cases} cases, #{campaign.walked} answered by a walk"
  "differs:\n#{difference}" if difference
end

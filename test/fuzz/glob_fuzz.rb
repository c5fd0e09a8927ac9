# frozen_string_literal: true

# Differential fuzzer: random patterns, also several at once and in braces, with bases
# and flags, on random trees. Compares Ruby's Dir.glob to the drop-in's in one process.
#
#   ruby test/fuzz/glob_fuzz.rb --cases 20000
#   ruby test/fuzz/glob_fuzz.rb --seed 7
#
# Exit status: 0 no difference, 1 a difference (printed), 2 wrong usage.
require_relative "command"
require_relative "glob/campaign"

command = Fuzz::Command.new(cases: 2000, without: %i[only-case control])
# Root can read everything, and some cases have folders that cannot be read. JRuby cannot change its user: setpriv can.
Process::UID.change_privilege(65_534) if Process.uid.zero? && RUBY_ENGINE == "ruby"
Dir.chdir("/") # a folder that always exists
command.run do |numbers|
  campaign = GlobFuzz::Campaign.new(seed: command.options[:seed])
  difference = campaign.run(numbers)
  puts "#{campaign.cases} cases, #{campaign.walked} answered by a walk"
  "differs:\n#{difference}" if difference
end

# frozen_string_literal: true

# The process of jruby.rb: reads questions, makes the calls and writes the outcomes.
#
#   jruby jruby_calls.rb [MUTANT]
require_relative "outcome"
require_relative "mutants"

on = Frugal::Dropin.status.find { |one| one.name == :fileutils }
abort "the drop-in is #{on.state}: #{on.reason}" unless on.state == :on
FileutilsFuzz::Mutants.apply(ARGV.first) if ARGV.any?

out = $stdout
while (line = $stdin.gets)
  seed, number, world, side, nobody = Marshal.load(line.unpack1("m"))
  ENV["HOME"] = "#{File.dirname(world)}/nobody" # as in campaign.rb
  outcome = FileutilsFuzz::Outcome.new(seed, number, world).of(side, nobody)
  out.puts "answer #{[Marshal.dump(outcome)].pack("m0")}"
  out.flush
end

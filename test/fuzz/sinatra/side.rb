# frozen_string_literal: true

# One side of the differential fuzzer: a process with one Sinatra, stock or with
# the drop-in, that prints a line for each case.
#
#   ruby side.rb ours 42 0,1,2 FOLDER [MUTANT]
ENV["RACK_ENV"] = ENV["APP_ENV"] = "production"
lib = File.expand_path("../../../lib", __dir__)
side, seed, numbers, home, mutant = ARGV
require "#{lib}/frugal/sinatra" if side == "ours" && seed.to_i.odd? # before Sinatra is loaded; else after it
require "logger"
require "sinatra/base"
require "mustermann/version"
if side == "ours"
  require "#{lib}/frugal/sinatra"
  state = Frugal::Dropin.status.find { |one| one.name == :sinatra }
  abort "not on: #{state.to_h}" unless state.state == :on
end
require mutant if mutant
require_relative "application"
require_relative "conversation"
require_relative "logged_traces"

File.join(home, "file.txt").then { |file| File.write(file, "a file") && File.utime(0, 0, file) }
numbers.split(",").map(&:to_i).each do |number|
  lines = SinatraFuzz::Conversation.new(Random.new((seed.to_i * 1_000_003) + number), home).lines
  puts [number.to_s, *lines].map(&:b).join("\t").gsub("\n", "\\n")
end

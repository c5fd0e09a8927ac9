# frozen_string_literal: true

# waste: serial_walk find.rb

require "find"
300.times { |i| Dir.mkdir("d#{i}") }
puts Find.find(".").count

# frozen_string_literal: true

# waste: serial_walk 9

20.times do |i|
  Dir.mkdir("d#{i}")
  20.times { |j| Dir.mkdir("d#{i}/e#{j}") }
end
puts Dir.glob("**/*").size

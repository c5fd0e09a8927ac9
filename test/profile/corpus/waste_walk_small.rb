# frozen_string_literal: true

# waste: serial_walk 6

30.times { |i| Dir.mkdir("d#{i}") }
puts Dir.glob("**/*").size

# frozen_string_literal: true

# clean

30.times { |i| Dir.mkdir("d#{i}") }
puts Dir.glob("**/*").size

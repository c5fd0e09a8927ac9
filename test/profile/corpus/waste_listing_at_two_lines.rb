# frozen_string_literal: true

# waste: repeated_listing 7

5.times { |i| File.write("f#{i}", "") }
first = Dir.children(".")
second = Dir.children(".")
puts first == second

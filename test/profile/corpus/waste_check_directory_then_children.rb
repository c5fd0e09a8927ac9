# frozen_string_literal: true

# waste: check_then_use 7

50.times { |i| Dir.mkdir("d#{i}") }
names = 50.times.map do |i|
  Dir.children("d#{i}") if Dir.exist?("d#{i}")
end
puts names.flatten.size

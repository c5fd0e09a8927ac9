# frozen_string_literal: true

# waste: redundant_call 8

30.times { |i| File.write("f#{i}", "x" * i) }
sizes = 30.times.map do |i|
  first = File.size("f#{i}")
  again = File.size("f#{i}")
  first + again
end
puts sizes.sum

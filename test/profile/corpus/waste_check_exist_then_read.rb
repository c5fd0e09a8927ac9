# frozen_string_literal: true

# waste: check_then_use 7

80.times { |i| File.write("page#{i}", "body #{i}") }
bodies = 80.times.map do |i|
  File.read("page#{i}") if File.exist?("page#{i}")
end
puts bodies.compact.size

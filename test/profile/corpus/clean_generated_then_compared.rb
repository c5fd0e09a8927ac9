# frozen_string_literal: true

# clean

20.times do |i|
  File.write("a#{i}", i.to_s)
  File.write("b#{i}", i.to_s)
end
puts 20.times.count { |i| File.read("a#{i}") == File.read("b#{i}") }

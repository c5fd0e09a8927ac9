# frozen_string_literal: true

# clean

60.times { |i| File.write("f#{i}", i.to_s) }
present = 60.times.select do |i|
  found = File.exist?("f#{i}")
  File.read("f#{i}") if found && i % 10 == 0
  found
end
puts present.size

# frozen_string_literal: true

# clean

200.times { |i| File.write("f#{i}", i.to_s) unless i % 40 == 39 }
read = 200.times.count do |i|
  File.read("f#{i}")
rescue Errno::ENOENT
  false
end
puts read

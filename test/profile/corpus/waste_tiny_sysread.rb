# frozen_string_literal: true

# waste: tiny_reads 9

5.times { |i| File.binwrite("rec#{i}", "abcd" * 60) }
sum = 0
5.times do |i|
  File.open("rec#{i}", "rb") do |file|
    60.times { sum += file.sysread(4).size }
  end
end
puts sum

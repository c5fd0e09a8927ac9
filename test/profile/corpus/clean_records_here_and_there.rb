# frozen_string_literal: true

# clean

File.binwrite("index", "12345678" * 1000)
File.open("index", "rb") do |file|
  puts 100.times.sum { |i| file.pread(8, (i * 7919 % 1000) * 8).size }
end

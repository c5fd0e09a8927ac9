# frozen_string_literal: true

# clean

20.times do |i|
  File.write("counter", i.to_s)
  puts "odd" if File.read("counter") != i.to_s
end

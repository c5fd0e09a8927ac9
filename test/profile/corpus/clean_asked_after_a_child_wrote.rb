# frozen_string_literal: true

# clean

File.write("out", "x")
10.times do |i|
  before = File.size("out")
  Process.wait(fork { File.write("out", "child #{i * 1000}") })
  puts "same" if File.size("out") == before && i.zero?
end

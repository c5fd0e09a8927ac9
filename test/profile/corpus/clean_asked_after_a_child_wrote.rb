# frozen_string_literal: true

# clean

10.times do |i|
  Process.wait(fork { File.write("out", "child #{i}") })
  puts "empty" if File.size("out").zero?
end

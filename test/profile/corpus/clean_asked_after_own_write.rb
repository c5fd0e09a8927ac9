# frozen_string_literal: true

# clean

30.times do |i|
  File.write("out", "version #{i}")
  puts "no" unless File.mtime("out").to_i.positive?
end

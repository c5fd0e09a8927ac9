# frozen_string_literal: true

# clean

File.write("config", "x")
4.times do
  puts "stale" if File.mtime("config").to_i.zero?
  sleep 1.1
end

# frozen_string_literal: true

# waste: redundant_call 9

30.times { |i| File.write("src#{i}", i.to_s) }
File.write("header", "common")
newest = 30.times.count do |i|
  source = File.mtime("src#{i}")
  header = File.mtime("header")
  header >= source
end
puts newest

# frozen_string_literal: true

# clean

40.times { |i| File.write("f#{i}", i.to_s) }
fresh = 40.times.map do |i|
  time = File.mtime("f#{i}")
  [time, File.read("f#{i}")]
end
puts fresh.size

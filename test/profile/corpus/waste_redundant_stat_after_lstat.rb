# frozen_string_literal: true

# waste: redundant_call 8

40.times { |i| File.write("f#{i}", i.to_s) }
kinds = 40.times.map do |i|
  link = File.lstat("f#{i}").symlink?
  size = File.stat("f#{i}").size
  [link, size]
end
puts kinds.size

# frozen_string_literal: true

# waste: rescued_error 7

10.times { |i| File.write("f#{i * 5}", "x") }
times = 50.times.map do |i|
  File.mtime("f#{i}") rescue nil
end
puts times.compact.size

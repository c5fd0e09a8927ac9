# frozen_string_literal: true

# clean

input, output = IO.pipe
File.write("config", "x")
puts(20.times.sum { |i| output.puts(i) || input.gets && File.mtime("config").to_i }.positive?)

# frozen_string_literal: true

# clean

30.times { |i| File.write("f#{i}", i.to_s) }
abort "missing" unless 30.times.all? { |i| File.exist?("f#{i}") }
sleep 0.3
puts 30.times.sum { |i| File.read("f#{i}").to_i }

# frozen_string_literal: true

# clean

40.times { |i| File.write("f#{i}", "same") }
puts 40.times.map { |i| File.read("f#{i}") }.uniq.size

# frozen_string_literal: true

# clean

100.times { |i| File.write("lock#{i}", "x") if i % 10 == 0 }
100.times { |i| File.delete("lock#{i}") if File.exist?("lock#{i}") }
puts Dir.children(".").size

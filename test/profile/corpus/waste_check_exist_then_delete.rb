# frozen_string_literal: true

# waste: check_then_use 7

50.times { |i| File.write("tmp#{i}", i.to_s) }
50.times do |i|
  File.delete("tmp#{i}") if File.exist?("tmp#{i}")
end
puts Dir.children(".").size

# frozen_string_literal: true

# clean

20.times { |i| File.write("tmp#{i}", "x") }
20.times do |i|
  File.link("tmp#{i}", "final#{i}")
  File.unlink("tmp#{i}")
end
puts Dir.children(".").size

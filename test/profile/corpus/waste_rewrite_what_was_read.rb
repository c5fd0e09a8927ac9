# frozen_string_literal: true

# waste: identical_rewrite 8

8.times { |i| File.write("doc#{i}", "text #{i}") }
8.times do |i|
  text = File.read("doc#{i}")
  File.write("doc#{i}", text.sub("absent", "x"))
end
puts Dir.children(".").size

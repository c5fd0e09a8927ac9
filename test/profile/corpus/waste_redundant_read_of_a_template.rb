# frozen_string_literal: true

# waste: redundant_call 7

File.write("template.txt", "Hello %s\n" * 20)
pages = 30.times.map do |i|
  format(File.read("template.txt").lines.first, i)
end
puts pages.join.size

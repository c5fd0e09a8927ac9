# frozen_string_literal: true

# waste: repeated_realpath 7

Dir.mkdir("root")
names = 60.times.map do |i|
  File.join(File.realpath("root"), "file#{i}")
end
puts names.size

# frozen_string_literal: true

# clean

Dir.mkdir("d")
sizes = 40.times.map do |i|
  File.write("d/#{i}", "x")
  Dir.children("d").size
end
puts sizes.last

# frozen_string_literal: true

# clean

20.times { |i| File.write("switch", i.even? ? "on" : "off") }
puts File.read("switch")

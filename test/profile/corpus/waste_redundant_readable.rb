# frozen_string_literal: true

# waste: redundant_call 6

File.write("data", "x")
ok = 40.times.count { File.readable?("data") }
puts ok

# frozen_string_literal: true

# waste: check_then_use 7

50.times { |i| File.write("log#{i}", "line #{i}\n") }
50.times do |i|
  next unless File.readable?("log#{i}")

  File.open("log#{i}") { |io| puts io.gets if i.zero? }
end

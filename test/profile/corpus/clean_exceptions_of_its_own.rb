# frozen_string_literal: true

# clean

20.times do |i|
  Integer("x#{i}")
rescue ArgumentError
  nil
end
puts "done"

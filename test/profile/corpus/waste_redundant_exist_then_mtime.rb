# frozen_string_literal: true

# waste: redundant_call 9
# As Rake's file tasks do.

40.times { |i| File.write("f#{i}", "text #{i}") }
def timestamp(name)
  if File.exist?(name)
    File.mtime(name)
  else
    Time.at(0)
  end
end
puts 40.times.map { |i| timestamp("f#{i}") }.max.year > 2000

# frozen_string_literal: true

# waste: redundant_call 7
# Each lookup asks for a file that has never been there.

def lookup(key)
  return "overridden" if File.exist?("override.txt")

  key.to_s
end
puts 60.times.map { |i| lookup(i) }.size

# frozen_string_literal: true

# waste: redundant_call 6
# Relative names are expanded against the current directory, which is asked for each time.

names = 40.times.map { |i| File.expand_path("name#{i}") }
puts names.size

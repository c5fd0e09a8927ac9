# frozen_string_literal: true

# waste: redundant_call 8

File.write("config", "level: 3")
lines = Array.new(40) do
  finish = Process.clock_gettime(Process::CLOCK_MONOTONIC) + 0.006
  level = File.read("config")
  nil while Process.clock_gettime(Process::CLOCK_MONOTONIC) < finish # some computation
  level
end
puts lines.uniq

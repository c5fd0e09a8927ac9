# frozen_string_literal: true

# clean

20.times { File.open("log", "a") { |file| file.puts "tick" } }
puts File.size("log")

# frozen_string_literal: true

# Each name is expanded in another current directory, and Dir.chdir asks for the one to come back to.

40.times do |i|
  Dir.mkdir("folder#{i}")
  Dir.chdir("folder#{i}") { puts File.basename(File.expand_path("name")) }
end

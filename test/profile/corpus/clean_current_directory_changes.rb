# frozen_string_literal: true

# Each expansion is against another current directory, and back in the first one nothing can be known of it.

40.times do |i|
  Dir.mkdir("folder#{i}")
  Dir.chdir("folder#{i}") { puts File.basename(File.expand_path("name")) }
  puts File.basename(Dir.pwd)
end

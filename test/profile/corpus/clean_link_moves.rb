# frozen_string_literal: true

# clean

%w[v0 v1].each { |name| File.write(name, name) }
20.times do |i|
  File.symlink("v#{i % 2}", "new")
  File.rename("new", "current")
  puts "odd" unless File.readlink("current") == "v#{i % 2}"
end

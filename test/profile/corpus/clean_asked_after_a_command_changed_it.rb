# frozen_string_literal: true

# clean

8.times do
  system("touch made && rm made") || abort
  puts "odd" if File.exist?("made")
end

# frozen_string_literal: true

# clean

8.times do |i|
  before = File.exist?("made")
  system("mkdir made#{i} && touch made && rm made") || abort
  puts "odd" if File.exist?("made") != before
end

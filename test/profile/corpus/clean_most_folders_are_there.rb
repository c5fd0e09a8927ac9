# frozen_string_literal: true

# clean

100.times { |i| Dir.mkdir("shard#{i}") unless i % 10 == 0 }
100.times { |i| Dir.mkdir("shard#{i}") unless Dir.exist?("shard#{i}") }
puts Dir.children(".").size

# frozen_string_literal: true

# waste: needless_digest 9

require "digest"
20.times do |i|
  data = "content #{i} " * 100
  before = Digest::SHA256.hexdigest(data)
  after = Digest::SHA256.hexdigest(data)
  puts "changed" if before != after
end
puts "done"

# frozen_string_literal: true

# waste: rescued_error 8

def deep(level, &block) = level.zero? ? block.call : deep(level - 1, &block)

def listing(name)
  Dir.entries(name)
rescue SystemCallError
  []
end
deep(60) { puts 60.times.sum { |i| listing("missing#{i}").size } }

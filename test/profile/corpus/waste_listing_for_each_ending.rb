# frozen_string_literal: true

# waste: repeated_listing 7

%w[js css].each { |name| Dir.mkdir(name) }
endings = Array.new(30) { |i| "x#{i}" }
puts endings.sum { |ending| %w[js css].sum { |folder| Dir.children(folder).count { |name| name.end_with?(ending) } } }

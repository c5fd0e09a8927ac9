# frozen_string_literal: true

require "tsort"

# What needs itself, by way of others.
#
#   Circles.among(%w[a b c]) { |node| { "a" => %w[b], "b" => %w[a c], "c" => [] }[node] }   # => [["a", "b"]]
module Circles
  # @param nodes [Array<String>]
  # @yieldparam node [String]
  # @yieldreturn [Array<String>] those of the nodes that it needs; others are left out
  # @return [Array<Array<String>>] the nodes of each circle, sorted
  def self.among(nodes, &needed)
    needs = nodes.to_h { |node| [node, needed.call(node) & nodes] }
    components = TSort.strongly_connected_components(needs.method(:each_key), ->(node, &block) { needs[node].each(&block) })
    components.select { |component| component.size > 1 }.map(&:sort).sort
  end
end

# frozen_string_literal: true

require_relative "../words"

module Frugal
  module Profile
    module Report
      class HTML
        # Calls by folder, for a treemap. The tree has the largest nodes, up to its limit; the other nodes of a folder
        # are merged into one.
        #
        #   tree = Tree.new
        #   tree.add("/app/src/a.c", row) { ["app", "src", "a.c"] }
        #   tree.to_h   # => { n: "", c: 1, …, k: [{ n: "app/src", …, k: [{ n: "a.c", … }] }] }
        class Tree
          LIMIT = 2500 # nodes
          # `calls`, `failed` and `time` (nanoseconds) include the values of the children; `by` has only the calls of
          # the node itself, by function.
          Node = Struct.new(:name, :calls, :failed, :time, :by, :children) do
            def self.empty(name) = new(name, 0, 0, 0, nil, nil)

            def child(name) = (self.children ||= {})[name] ||= Node.empty(name)

            # @param other [Node, CallRows::Row]
            def add(calls, other)
              self.calls += calls
              self.failed += other.failed
              self.time += other.time
            end
          end
          private_constant :Node

          # @param limit [Integer] the number of nodes, without the merged ones
          def initialize(limit: LIMIT)
            @limit = limit
            @root = Node.empty("")
            @files = {}
          end

          # @param key [Object] equal for rows of the same file
          # @param row [CallRows::Row]
          # @yieldreturn [Array<String>] the names from the outermost folder to the file; called once for each key
          # @return [void]
          def add(key, row)
            node = @files.fetch(key) { @files[key] = yield.inject(@root) { |parent, name| parent.child(name) } }
            node.add(row.count, row)
            node.by ||= Hash.new(0)
            node.by[row.call] += row.count
          end

          # @return [Hash] `n` name, `c` calls, `f` failed calls, `t` microseconds, `k` children or `b` calls by
          #   function
          def to_h
            total(@root)
            @kept = nodes(@root, 0, []).max_by(@limit) { |node, depth| [node.calls, -depth] }
                                       .to_h { |node, _| [node, true] }.compare_by_identity
            object(@root)
          end

          private

          # The calls on a folder itself become a child of the folder, so that the sizes of its children add up.
          def total(node)
            return unless node.children

            node.children[:own] = Node.new(".", *node.to_a[1, 4]) if node.by
            node.calls = node.failed = node.time = 0
            node.children.each_value do |child|
              total(child)
              node.add(child.calls, child)
            end
          end

          def nodes(node, depth, list)
            list << [node, depth]
            node.children&.each_value { |child| nodes(child, depth + 1, list) }
            list
          end

          def object(node)
            return leaf(node) unless node.children

            inner = only_folder(node)
            return object(inner.dup.tap { |copy| copy.name = "#{node.name}/#{inner.name}" }) if inner

            kept, others = node.children.each_value.partition { |child| @kept.key?(child) }
            others = others.empty? ? [] : [merged(others)]
            members(node).merge(k: (kept.map { |child| object(child) } + others).sort_by { |child| -child[:c] })
          end

          # Merges a folder with its only child if that is a folder.
          def only_folder(node)
            child = node.children.each_value.first
            child if !node.equal?(@root) && node.children.size == 1 && child.children && @kept.key?(child)
          end

          def leaf(node) = members(node).merge(b: node.by.to_h)

          def merged(nodes)
            sum = Node.empty("#{nodes.size} #{nodes.size == 1 ? "other" : "others"}")
            nodes.each { |node| sum.add(node.calls, node) }
            members(sum).merge(b: {})
          end

          def members(node)
            { n: Words.visible(node.name)[0, HTML::TEXT], c: node.calls, f: node.failed,
              t: (node.time / 1000.0).round(1) }
          end
        end
      end
    end
  end
end

# frozen_string_literal: true

module Frugal
  module Native
    module Pure
      # The twin of ext/frugal/walk.c: all that lies below a directory, in
      # pre-order, on one thread.
      class Tree
        Entry = Struct.new(:path, :kept, :child)
        Node = Struct.new(:path, :parent, :link, :depth, :entries, :identity, :error)

        class << self
          # @return [Tree, nil] nil for a miss
          def list(path, options)
            new(path, options).tap(&:run)
          rescue Errno::ENOENT, Errno::ENOTDIR
            nil
          end

          # @yieldparam paths [Array<String>] of one directory
          # @return [Tree, nil]
          def stream(path, options, &block)
            new(path, options, &block).tap(&:run)
          rescue Errno::ENOENT, Errno::ENOTDIR
            nil
          end
        end

        def initialize(path, options, &block)
          @prefix = File.path(path).b.delete_suffix("/")
          @encoding = File.path(path).encoding
          @encoding = Encoding.find("filesystem") if @encoding == Encoding::US_ASCII
          @options = options
          @block = block
          @root = Node.new(path, nil, false, 0)
          @names = Dir.children(path)
          @visited = {}
        end

        def run
          enter(@root, @names)
          descend(@root)
          follow_links if @options[:follow] == :once
          @entries = flatten
        end

        def size = kept.size
        def at(index) = told(kept[index].path)
        def to_a = kept.map { |entry| told(entry.path) }

        # @return [Array<Integer>]
        def column(name)
          @stats ||= kept.map { |entry| stat(entry.path) }
          @stats.map do |stat|
            next 0 unless stat

            name == :size ? stat.size : (stat.mtime.to_i * 1_000_000_000) + stat.mtime.nsec
          end
        end

        # @return [Array<Array(String, Integer)>] path and errno
        def failures
          @entries.filter_map { |entry| [told(entry.path), entry.child.error] if entry.child&.error }
        end

        private

        def kept = @kept ||= @entries.select(&:kept)

        # In the encodings of Dir.glob; inside, a path is bytes.
        def told(path)
          text = path.dup.force_encoding(@encoding)
          text.force_encoding(Encoding::BINARY) if @encoding == Encoding::US_ASCII && !text.ascii_only?
          internal = Encoding.default_internal
          internal && text.valid_encoding? && text.encoding != Encoding::BINARY ? text.encode(internal) : text
        end

        def descend(top)
          stack = [top]
          until stack.empty?
            node = stack.pop
            visit(node) if node.entries.nil?
            children = node.entries&.filter_map(&:child) || []
            children.reject!(&:link) if @options[:follow] == :once
            stack.concat(children.reverse)
          end
        end

        def visit(node)
          names = Dir.children(node.path)
          enter(node, names) if admits?(node)
        rescue SystemCallError => error
          away = [Errno::ENOTDIR, Errno::ENOENT, Errno::ELOOP].include?(error.class)
          node.error = error.errno unless node.link && away
        end

        def enter(node, names)
          identify(node)
          names.sort_by!(&:b) if @options[:sort]
          prefix = node.parent ? node.path : @prefix
          node.entries = names.filter_map { |name| entry(node, "#{prefix}/#{name.b}", name) }
          paths = node.entries.filter_map { |entry| told(entry.path) if entry.kept }
          @block.call(paths) if @block && !paths.empty?
        end

        def entry(node, path, name)
          return if name.start_with?(".") && !@options[:hidden]

          kept = kept?(name)
          type = type(path)
          link = type == "link" && !@options[:follow].nil?
          child = Node.new(path, node, link, node.depth + 1) if (link || type == "directory") && enters?(node, name)
          Entry.new(path, kept, child) if kept || child
        end

        def type(path)
          File.ftype(path)
        rescue SystemCallError
          "unknown"
        end

        def enters?(node, name)
          node.depth + 1 != @options[:depth] && !@options[:prune]&.any? { |pattern| File.fnmatch?(pattern, name, File::FNM_DOTMATCH) }
        end

        def kept?(name)
          suffixes = @options[:suffixes]
          suffixes.nil? || suffixes.any? { |suffix| name.bytesize > suffix.bytesize && name.end_with?(suffix) }
        end

        # -- links --

        def identify(node)
          return unless @options[:follow]

          stat = File.stat(node.path)
          node.identity = [stat.dev, stat.ino]
          @visited[node.identity] = true if @options[:follow] == :once
        end

        def admits?(node)
          return true unless @options[:follow]

          stat = File.stat(node.path)
          identity = [stat.dev, stat.ino]
          return !@visited.key?(identity) if @options[:follow] == :once

          !node.link || above(node).none? { |ancestor| ancestor.identity == identity }
        end

        def above(node)
          Enumerator.produce(node.parent, &:parent).take_while(&:itself)
        end

        # After all real paths, one after the other.
        def follow_links
          links = links_below(@root)
          while (link = links.shift)
            descend(link)
            links.concat(links_below(link)) if link.entries
          end
        end

        def links_below(top)
          links = []
          stack = [top]
          while (node = stack.pop)
            next links << node if node.link && !node.equal?(top)

            stack.concat(node.entries.filter_map(&:child).reverse) if node.entries
          end
          links
        end

        # -- reading --

        def flatten
          found = []
          stack = @root.entries.reverse
          while (entry = stack.pop)
            found << entry
            stack.concat(entry.child.entries.reverse) if entry.child&.entries
          end
          found
        end

        def stat(path)
          @options[:follow] ? File.stat(path) : File.lstat(path)
        rescue SystemCallError
          lstat(path)
        end

        def lstat(path)
          File.lstat(path)
        rescue SystemCallError
          nil
        end
      end
    end
  end
end

# frozen_string_literal: true

require_relative "system_name"
require_relative "tree_ignore"

module Frugal
  module Native
    module Pure
      # The pure twin of ext/frugal/walk/walk.c: lists everything below a directory, a
      # directory before its entries, on one thread.
      class Tree
        include SystemName

        # A path of the tree. `kept` is whether the walk lists it; `child` is the Node of a
        # directory that is entered, or nil.
        Entry = Struct.new(:path, :kept, :child)
        # A directory. `link` is whether a link leads to it; `entries` is nil until it is read;
        # `error` is an errno.
        Node = Struct.new(:path, :parent, :link, :depth, :entries, :identity, :error, :rules)

        class << self
          # @return [Tree, nil] nil for a miss
          def list(path, options) = open(path, options)&.tap(&:run)

          # @yieldparam paths [Array<String>] of one directory
          # @return [Tree, nil]
          def stream(path, options, &block) = open(path, options, &block)&.tap(&:run)

          private

          def open(path, options, &block)
            new(path, options, &block)
          rescue Errno::ENOENT, Errno::ENOTDIR
            nil
          end
        end

        def initialize(path, options, &block)
          root(path)
          @options = options
          @block = block
          @root = Node.new(path, nil, false, 0)
          @names = names(path)
          @ignore = TreeIgnore.new(path) if options[:gitignore]
          @visited = {}
        end

        def run
          enter(@root, @names)
          descend(@root)
          follow_links if @options[:follow] == :once
          @entries = flatten
        end

        def size = kept.size
        def at(index) = decode(kept[index].path)
        def to_a = kept.map { |entry| decode(entry.path) }

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
          own = [*@ignore&.failures, *@root.rules&.failures]
          own.concat(@entries.flat_map { |entry| entry.child ? failures_of(entry.child) : [] })
          own.map { |path, errno| [decode(path), errno] }
        end

        # @return [Integer] the length in bytes of the longest path of an entered directory
        def longest
          [@prefix.bytesize, *@entries.filter_map { |entry| entry.path.bytesize if entry.child&.entries }].max
        end

        private

        def root(path)
          @prefix = File.path(path).b.delete_suffix("/")
          @encoding = File.path(path).encoding
          @encoding = Encoding.find("filesystem") if @encoding == Encoding::US_ASCII || Platform::JRUBY
          @encoding = Encoding::BINARY if @encoding == Encoding::US_ASCII # as Dir.glob does in the C locale
        end

        def failures_of(node)
          [*([[node.path, node.error]] if node.error), *node.rules&.failures]
        end

        def kept = @kept ||= @entries.select(&:kept)

        # Converts a path, which is binary inside this class, to the encoding of Dir.glob. The
        # option `cut` removes its first bytes: for a root of "." the path "./a" becomes "a".
        def decode(path)
          text = path.byteslice((@options[:cut] || 0)..).force_encoding(@encoding)
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
          names = admitted_names(node)
          enter(node, names) if names
        end

        # Only reads the names. The walk's block is called elsewhere, because its exceptions are not errors of the
        # directory.
        def admitted_names(node)
          names = names(node.path)
          names if admits?(node)
        rescue SystemCallError => e
          missing = [Errno::ENOTDIR, Errno::ENOENT, Errno::ELOOP].include?(e.class)
          node.error = e.errno unless node.link && missing
          nil
        end

        # JRuby's Dir treats a loop of links as a miss, and a directory without permission as
        # empty, so under JRuby File.stat finds the error.
        def names(path)
          path = system_name(path)
          names = Dir.children(path)
          raise Errno::EACCES, path if Platform::JRUBY && names.empty? && !File.stat(path).readable?

          names
        rescue Errno::ENOENT
          File.stat(path) if Platform::JRUBY
          raise
        end

        def enter(node, names)
          identify(node)
          names.sort_by!(&:b) if @options[:sort]
          node.rules = @ignore&.rules(path_of(node), names)
          node.entries = entries(node, names)
          paths = node.entries.filter_map { |entry| decode(entry.path) if entry.kept }
          @block.call(paths) if @block && !paths.empty?
        end

        def path_of(node) = node.parent ? node.path : @prefix

        def rules_of(node) = node.rules

        def entries(node, names)
          prefix = path_of(node)
          ignored = @ignore&.filter(node) { |above| rules_of(above) }
          names.filter_map { |name| entry(node, "#{prefix}/#{name.b}", name, ignored) }
        end

        def entry(node, path, name, ignored)
          return if name.start_with?(".") && !@options[:hidden]

          kept = kept?(name)
          type = type(path)
          return if ignored&.call(path, name.b, type == "directory")

          link = type == "link" && !@options[:follow].nil?
          child = Node.new(path, node, link, node.depth + 1) if (link || type == "directory") && enters?(node, name)
          Entry.new(path, kept, child) if kept || child
        end

        def type(path)
          File.ftype(system_name(path))
        rescue SystemCallError
          "unknown"
        end

        def enters?(node, name)
          node.depth + 1 != @options[:depth] && !@options[:prune]&.any? { |pattern| prunes?(pattern, name) }
        end

        # Invalid bytes match only in binary Strings.
        def prunes?(pattern, name)
          pattern, name = pattern.b, name.b unless pattern.valid_encoding? && name.valid_encoding?
          File.fnmatch?(pattern, name, File::FNM_DOTMATCH)
        end

        def kept?(name)
          prefix = @options[:prefix] || ""
          return false unless name.start_with?(prefix)

          suffixes = @options[:suffixes] or return true
          suffixes.any? do |suffix|
            name.bytesize >= prefix.bytesize + suffix.bytesize && name.end_with?(suffix) &&
              (name != suffix || !name.start_with?("."))
          end
        end

        # -- links --

        def identify(node)
          return unless @options[:follow]

          stat = File.stat(system_name(node.path))
          node.identity = [stat.dev, stat.ino]
          @visited[node.identity] = true if @options[:follow] == :once
        end

        def admits?(node)
          return true unless @options[:follow]

          stat = File.stat(system_name(node.path))
          identity = [stat.dev, stat.ino]
          return !@visited.key?(identity) if @options[:follow] == :once

          # Also checked for real directories: a link above may have led to one of its ancestors.
          ancestors(node).none? { |ancestor| ancestor.identity == identity }
        end

        def ancestors(node)
          Enumerator.produce(node.parent, &:parent).take_while(&:itself)
        end

        # For `follow: :once`: enters the links one after the other, after all real directories.
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
          @options[:follow] ? File.stat(system_name(path)) : lstat(path)
        rescue SystemCallError
          lstat(path)
        end

        def lstat(path)
          File.lstat(system_name(path))
        rescue SystemCallError
          nil
        end
      end
    end
  end
end

# frozen_string_literal: true

require_relative "file_times"
require_relative "tree"

module Frugal
  module Native
    module Pure
      # The twin of ext/frugal/tree_snapshot.c: a tree that is kept, and what has
      # come and gone in it since.
      class TreeSnapshot < Tree
        # A change leaves no trace in times that are so young: kernels' clocks tick
        # every 1 to 10 ms, those of some file systems every other second.
        TICK_NS = 20_000_000
        COARSE_TICK_NS = 2_000_000_000
        SECOND_NS = 1_000_000_000

        # What a directory becomes.
        State = Struct.new(:entries, :identity, :error, :rules)

        class << self
          undef_method :list, :stream

          # @return [TreeSnapshot] an empty one where there is no such directory
          def take(path, options) = new(path, options.merge(sort: true)).tap(&:refresh)
        end

        undef_method :column

        def initialize(path, options) # rubocop:disable Lint/MissingSuper -- which lists it, or raises
          root(path)
          @options = options
          @root = Node.new(path, nil, false, 0, [])
        end

        # @return [Array(Array<String>, Array<String>)] added and removed, in no order
        def refresh
          @states = {}.compare_by_identity
          @ticks = {} # by device, which may be another one's the next time
          changes = [[], []]
          former = @ignore
          stack = [[@root, look_above]]
          while (node, anew = stack.pop)
            anew = check(node, anew, changes)
            stack.concat((@states[node] || node).entries.filter_map(&:child).map { |child| [child, anew] })
          end
          told = changes.map { |paths| paths.map { |path| told(path) } }
          former = @ignore
          keep
          told
        ensure
          @ignore = former
        end

        private

        # Up to here nothing has changed, and after it all.
        def keep
          @states.each { |node, state| node.entries, node.identity, node.error, node.rules = *state }
          @entries = flatten unless @states.empty? && @entries
          @kept = nil
        end

        # Whether all is to be listed anew, as what the root lies in says something else.
        def look_above
          return false unless @options[:gitignore]

          former = @ignore
          @ignore = TreeIgnore.new(@root.path)
          former.nil? || former.says != @ignore.says
        rescue Errno::ENOENT, Errno::ENOTDIR
          true
        end

        # @return [Boolean] whether all below is to be listed anew
        def check(node, anew, changes)
          return false if !anew && node.entries && node.identity && node.identity == identity(node, 0) && !rules_may_differ?(node)

          state = @states[node] = relist(node)
          compare(node.entries || [], state.entries, changes)
          anew || node.rules&.says != state.rules&.says
        end

        # Of a repository several files count, and each of them may come and go.
        def rules_may_differ?(node)
          rules = node.rules or return false
          rules.exclude || rules.own.error || rules.stamp.nil? || rules.stamp != stamp_of_rules(node, 0)
        end

        def stamp_of_rules(node, now)
          name = system_name("#{path_of(node)}/#{TreeIgnore::RULES}")
          stamp(name, File.lstat(name), now)
        rescue SystemCallError
          nil
        end

        def identity(node, now)
          name = node.parent ? system_name(node.path) : node.path
          stat = node.parent ? File.lstat(name) : File.stat(name)
          stamp(name, stat, now) if stat.directory?
        rescue SystemCallError
          nil
        end

        # Device, inode and times; nil for what may change again unseen: what is young,
        # and all where the file system is not known to keep times by this kernel's clock.
        def stamp(name, stat, now)
          times = [stat.mtime, stat.ctime].map { |time| (time.to_i * SECOND_NS) + time.nsec }
          return [stat.dev, stat.ino, *times] if now.zero?

          tick = (times.last % SECOND_NS).zero? ? COARSE_TICK_NS : TICK_NS # the mtime may be anybody's
          [stat.dev, stat.ino, *times] if times.max < now - tick && ticks?(name, stat.dev)
        end

        def ticks?(name, device) = @ticks.fetch(device) { @ticks[device] = FileTimes.ticks_at?(name, device) }

        def now = FileTimes.now

        def rules_of(node) = (@states[node] || node).rules

        def relist(node)
          before = identity(node, now)
          raise Errno::ENOTDIR if node.parent && File.symlink?(system_name(node.path))

          names = names(node.path).sort_by!(&:b)
          rules = @ignore&.rules(path_of(node), names) { stamp_of_rules(node, now) }
          @states[node] = State.new(nil, before, nil, rules) # as its entries are asked by them
          State.new(carried(node, names), before, nil, rules)
        rescue SystemCallError => error
          missing = error.is_a?(Errno::ENOENT) || error.is_a?(Errno::ENOTDIR)
          raise unless node.parent || missing

          State.new([], nil, node.parent && error.errno)
        end

        # The directories that were known go on as they are.
        def carried(node, names)
          known = (node.entries || []).filter_map(&:child).to_h { |child| [child.path, child] }
          entries(node, names).each { |one| one.child &&= known.fetch(one.path, one.child) }
        end

        def compare(old, now, changes)
          before = old.to_h { |entry| [entry.path, entry] }
          now.each do |entry|
            gone = before.delete(entry.path)
            changes[0] << entry.path if gone.nil? && entry.kept
            tell_below(gone, changes[1]) if gone && entry.child.nil?
          end
          before.each_value do |entry|
            changes[1] << entry.path if entry.kept
            tell_below(entry, changes[1])
          end
        end

        def tell_below(top, paths)
          stack = [top.child].compact
          while (node = stack.pop)
            entries = node.entries || []
            paths.concat(entries.select(&:kept).map(&:path))
            stack.concat(entries.filter_map(&:child))
          end
        end
      end
    end
  end
end

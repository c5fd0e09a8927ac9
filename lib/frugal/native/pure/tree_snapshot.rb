# frozen_string_literal: true

require_relative "file_times"
require_relative "tree"

module Frugal
  module Native
    module Pure
      # The pure twin of ext/frugal/walk/tree_snapshot.c: keeps the state of a tree, and finds the
      # paths that were added to it or removed from it.
      class TreeSnapshot < Tree
        # A directory may change again without a change of its times if they are younger than
        # this: the kernel's clock ticks every 1 to 10 ms, the clock of some file systems every 2 s.
        TICK_NS = 20_000_000
        COARSE_TICK_NS = 2_000_000_000
        SECOND_NS = 1_000_000_000

        # The new state of a directory's Node, until a refresh is complete.
        State = Struct.new(:entries, :identity, :error, :rules)

        class << self
          undef_method :list, :stream

          # @return [TreeSnapshot] an empty snapshot if there is no such directory
          def take(path, options) = new(path, options.merge(sort: true)).tap(&:refresh)
        end

        undef_method :column

        def initialize(path, options) # rubocop:disable Lint/MissingSuper -- it lists the root, or raises
          root(path)
          @options = options
          @root = Node.new(path, nil, false, 0, [])
        end

        # @return [Array(Array<String>, Array<String>)] added and removed, in no order
        def refresh
          @states = {}.compare_by_identity
          @ticks = {} # by device number, which another device may have at the next refresh
          changes = [[], []]
          former = @ignore
          stack = [[@root, rules_above_changed?]]
          while (node, forced = stack.pop)
            forced = check(node, forced, changes)
            stack.concat((@states[node] || node).entries.filter_map(&:child).map { |child| [child, forced] })
          end
          decoded = changes.map { |paths| paths.map { |path| decode(path) } }
          former = @ignore
          commit
          decoded
        ensure
          @ignore = former
        end

        private

        # Applies the new states. An exception before this method leaves the snapshot unchanged.
        def commit
          @states.each { |node, state| node.entries, node.identity, node.error, node.rules = *state }
          @entries = flatten unless @states.empty? && @entries
          @kept = nil
        end

        # Reads the rules above the root. If they have changed, all directories are listed again.
        def rules_above_changed?
          return false unless @options[:gitignore]

          former = @ignore
          @ignore = TreeIgnore.new(@root.path)
          former.nil? || former.state != @ignore.state
        rescue Errno::ENOENT, Errno::ENOTDIR
          true
        end

        # Lists a directory again if it has changed, or if `forced`.
        #
        # @return [Boolean] whether to list all directories below it again
        def check(node, forced, changes)
          return false unless forced || changed?(node)

          state = @states[node] = relist(node)
          compare(node.entries || [], state.entries, changes)
          forced || node.rules&.state != state.rules&.state
        end

        def changed?(node)
          node.entries.nil? || node.identity.nil? || node.identity != identity(node, 0) || rules_may_differ?(node)
        end

        # Whether the rules must be read again. The rules of a repository come from several files, each
        # of which may appear or disappear, and a .git without a HEAD may become a repository.
        def rules_may_differ?(node)
          rules = node.rules or return false
          rules.git || rules.own.error || rules.stamp.nil? || rules.stamp != stamp_of_rules(node, 0)
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

        # Device, inode and times. nil if a change might leave these unchanged: if the times are too
        # young, or if the file system does not use this kernel's clock.
        #
        # @param now [Integer] the time before the directory was listed; 0 to return all times
        def stamp(name, stat, now)
          times = [stat.mtime, stat.ctime].map { |time| (time.to_i * SECOND_NS) + time.nsec }
          return [stat.dev, stat.ino, *times] if now.zero?

          tick = (times.last % SECOND_NS).zero? ? COARSE_TICK_NS : TICK_NS # a program can set the mtime to any value
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
          @states[node] = State.new(nil, before, nil, rules) # because `entries` reads the rules
          State.new(entries_with_known_nodes(node, names), before, nil, rules)
        rescue SystemCallError => e
          missing = e.is_a?(Errno::ENOENT) || e.is_a?(Errno::ENOTDIR)
          raise unless node.parent || missing

          State.new([], nil, node.parent && e.errno)
        end

        # The entries, with the existing Node of each directory that was already there.
        def entries_with_known_nodes(node, names)
          known = (node.entries || []).filter_map(&:child).to_h { |child| [child.path, child] }
          entries(node, names).each { |one| one.child &&= known.fetch(one.path, one.child) }
        end

        def compare(old, now, changes)
          before = old.to_h { |entry| [entry.path, entry] }
          now.each do |entry|
            gone = before.delete(entry.path)
            changes[0] << entry.path if gone.nil? && entry.kept
            collect_below(gone, changes[1]) if gone && entry.child.nil?
          end
          before.each_value do |entry|
            changes[1] << entry.path if entry.kept
            collect_below(entry, changes[1])
          end
        end

        # Adds all listed paths below an entry to `paths`.
        def collect_below(top, paths)
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

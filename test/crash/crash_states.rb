# frozen_string_literal: true

require_relative "recording"

module Safety
  # The states in which a crash may leave a folder, of a {Recording}.
  #
  # The model, after ALICE (Pillai et al., "All File Systems Are Not Created
  # Equal", OSDI 2014) and CrashMonkey (Mohan et al., "Finding Crash-Consistency
  # Bugs with Bounded Black-Box Testing", OSDI 2018), bounded in the number of
  # operations:
  # * a crash may come after each operation; a write is an operation per page;
  # * what fsync or fdatasync of a file covers is durable: the bytes and the size
  #   that it had; fsync of a folder: the names in it; sync: everything;
  # * of the last +window+ operations that are not durable, any subset may have
  #   reached the disk, in order; those before them have. Operations on names
  #   are each whole, and know the inode, not how it was called before;
  # * bytes between what arrived are zero. Modes and times are not modelled.
  # <tt>journal: true</tt> is a kinder disk, as ext4 with its defaults: names
  # change in order, and an fsync makes every earlier one durable.
  class CrashStates
    # +disk+ as found; +begun+ and +done+ count the transactions that had
    # begun, and been acknowledged; +kill+: whether a kill between two system
    # calls leaves it, too; +lost+ are the operations that are missing.
    State = Struct.new(:disk, :begun, :done, :kill, :lost, :after, keyword_init: true)

    def initialize(recording, window: 8, journal: false)
      @before = recording.before
      @window = window
      @journal = journal
      @events = recording.events
      @synced_by = {}
    end

    # Each state once: by its image and by what had been promised.
    def each
      return enum_for(:each) unless block_given?

      seen = {}
      points.each do |point|
        begun, done = %w[begin done].map { |mark| @events.first(point).count { |event| event.mark == mark } }
        subsets(point) do |applied, lost|
          disk = build(applied)
          key = [disk.image, begun, done]
          next if seen[key]

          seen[key] = true
          yield State.new(disk: disk, begun: begun, done: done, kill: lost.empty? && whole?(applied),
                          lost: operations(lost), after: operations(operations_before(point)))
        end
      end
    end

    private

    # After an event; not after "begin", where a crash leaves what it left before.
    def points = (0..@events.size).reject { |point| point.positive? && @events[point - 1].mark == "begin" }

    # Indexes of events that are operations.
    def operations_before(point) = (0...point).select { |index| @events[index].operation }
    def operations(indexes) = indexes.map { |index| @events[index].operation }

    # Yields indexes of operations that arrived and of those that did not, the
    # whole first, so that +kill+ is not hidden by a twin.
    def subsets(point)
      all = operations_before(point)
      open = all.reject { |index| durable?(index, point) }.last(@window)
      sure = all - open
      (0...(1 << open.size)).reverse_each do |mask|
        chosen = open.select.with_index { |_, bit| mask[bit] == 1 }
        yield (sure + chosen).sort, open - chosen if !@journal || in_order?(open, chosen)
      end
    end

    def durable?(index, point)
      synced = (@synced_by[index] ||= (index...@events.size).find { |later| covers?(@events[later].sync, @events[index].operation) } || Float::INFINITY)
      synced < point
    end

    def covers?(what, operation)
      return false if what.nil?
      return true if what == :all
      return operation.inode == what if operation.data?

      @journal || operation.folders.include?(what)
    end

    def in_order?(open, chosen)
      names = open.reject { |index| @events[index].operation.data? }
      taken = chosen & names
      taken == names.first(taken.size)
    end

    def build(applied)
      @before.dup.tap { |disk| operations(applied).each { |operation| operation.apply(disk) } }
    end

    # Whether the last operation is the end of its system call.
    def whole?(applied)
      last = applied.last && @events[applied.last].operation
      !last.is_a?(Disk::Write) || last.last
    end
  end
end

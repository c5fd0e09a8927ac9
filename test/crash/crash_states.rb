# frozen_string_literal: true

require_relative "recording"

module Safety
  # All states in which a crash during a {Recording} can leave its folder.
  #
  # The model, after ALICE (Pillai et al., "All File Systems Are Not Created
  # Equal", OSDI 2014) and CrashMonkey (Mohan et al., "Finding Crash-Consistency
  # Bugs with Bounded Black-Box Testing", OSDI 2018), bounded in the number of
  # operations:
  # * a crash can come after each operation; a write is one operation per page;
  # * fsync or fdatasync of a file makes its bytes and its size durable; fsync of a folder
  #   the names in it; sync everything;
  # * of the last +window+ operations that are not durable, any subset may have
  #   reached the disk, in order; all earlier ones have. Operations on names are atomic,
  #   and refer to the inode, not to its previous name;
  # * bytes between those that reached the disk are zero. Modes and times are not modelled.
  # <tt>journal: true</tt> models a safer disk, such as ext4 with its defaults: names
  # change in order, and an fsync makes all earlier changes of names durable.
  class CrashStates
    # +disk+ is the content of the folder; +begun+ and +done+ count the transactions that had
    # begun and that were acknowledged; +kill+: whether a kill between two system
    # calls leaves the same state; +lost+ are the operations that did not reach the disk, of those
    # in +after+.
    State = Struct.new(:disk, :begun, :done, :kill, :lost, :after, keyword_init: true)

    def initialize(recording, window: 8, journal: false)
      @before = recording.before
      @window = window
      @journal = journal
      @events = recording.events
      @synced_by = {}
    end

    # Yields each state once: states are equal if image and transactions are.
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
          yield State.new(disk: disk, begun: begun, done: done, kill: lost.empty? && complete?(applied),
                          lost: operations(lost), after: operations(operations_before(point)))
        end
      end
    end

    private

    # After each event, except "begin": it changes nothing on the disk.
    def points = (0..@events.size).reject { |point| point.positive? && @events[point - 1].mark == "begin" }

    # The indexes of the events that are operations.
    def operations_before(point) = (0...point).select { |index| @events[index].operation }
    def operations(indexes) = indexes.map { |index| @events[index].operation }

    # Yields the indexes of the operations that reached the disk and of those that did not. The
    # complete set comes first: it has +kill+, and a later subset may give an equal disk.
    def subsets(point)
      all = operations_before(point)
      open = all.reject { |index| durable?(index, point) }.last(@window)
      certain = all - open
      (0...(1 << open.size)).reverse_each do |mask|
        chosen = open.select.with_index { |_, bit| mask[bit] == 1 }
        yield (certain + chosen).sort, open - chosen if !@journal || in_order?(open, chosen)
      end
    end

    def durable?(index, point)
      @synced_by[index] ||= synced_at(index)
      @synced_by[index] < point
    end

    def synced_at(index)
      operation = @events[index].operation
      (index...@events.size).find { |later| covers?(@events[later].sync, operation) } || Float::INFINITY
    end

    def covers?(synced, operation)
      return false if synced.nil?
      return true if synced == :all
      return operation.inode == synced if operation.data?

      @journal || operation.folders.include?(synced)
    end

    def in_order?(open, chosen)
      names = open.reject { |index| @events[index].operation.data? }
      taken = chosen & names
      taken == names.first(taken.size)
    end

    def build(applied)
      @before.dup.tap { |disk| operations(applied).each { |operation| operation.apply(disk) } }
    end

    # Whether the last operation is the last one of its system call.
    def complete?(applied)
      last = applied.last && @events[applied.last].operation
      !last.is_a?(Disk::Write) || last.last
    end
  end
end

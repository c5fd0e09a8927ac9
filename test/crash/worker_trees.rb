# frozen_string_literal: true

module Safety
  # The requests of tests of tree snapshots.
  class Worker
    # Adds and removes files right after a refresh of a snapshot, within the same clock tick.
    #
    # @return [Array<String>] the changes that the next refresh did not report
    def follow_tree(folder, times)
      below = "#{folder}/below"
      Dir.mkdir(below)
      snapshot = Frugal::TreeSnapshot.new(folder)
      (1..times).flat_map do |number|
        sleep(0.03) if (number % 8).zero? # so that some refreshes find old times
        name = "#{[folder, below][number % 2]}/#{number}"
        File.write(name, "")
        missed = snapshot.refresh.added == [name] ? [] : ["#{number} added"]
        File.unlink(name)
        missed << "#{number} removed" unless snapshot.refresh.removed == [name]
        missed
      end
    end

    # Adds files as another machine would: in the folder below a mount, not through the mount.
    #
    # @return [Array<String>] the changes that the next refresh did not report
    def follow_server(mounted, server, times)
      snapshot = Frugal::TreeSnapshot.new(mounted)
      (1..times).filter_map do |number|
        sleep(0.03)
        snapshot.refresh
        File.write("#{server}/server #{$$} #{number}", "")
        "#{number} added" unless snapshot.refresh.added == ["#{mounted}/server #{$$} #{number}"]
      end
    end
  end
end

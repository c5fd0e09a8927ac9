# frozen_string_literal: true

module Safety
  # What {Guest} does for tests of trees that are followed.
  class Guest
    # Adds and removes files just after a snapshot has looked, which is within one tick of its look.
    #
    # @return [Array<String>] what a refresh did not tell
    def follow_tree(folder, times)
      below = "#{folder}/below"
      Dir.mkdir(below)
      snapshot = Frugal::TreeSnapshot.new(folder)
      (1..times).flat_map do |number|
        sleep(0.03) if (number % 8).zero? # so that some looks are at times that are old
        name = "#{[folder, below][number % 2]}/#{number}"
        File.write(name, "")
        missed = snapshot.refresh.added == [name] ? [] : ["#{number} came"]
        File.unlink(name)
        missed << "#{number} went" unless snapshot.refresh.removed == [name]
        missed
      end
    end

    # Adds files as another machine does: in the folder that a mount shows, past the mount.
    #
    # @return [Array<String>] what a refresh did not tell
    def follow_server(mounted, server, times)
      snapshot = Frugal::TreeSnapshot.new(mounted)
      (1..times).filter_map do |number|
        sleep(0.03)
        snapshot.refresh
        File.write("#{server}/server #{$$} #{number}", "")
        "#{number} came" unless snapshot.refresh.added == ["#{mounted}/server #{$$} #{number}"]
      end
    end
  end
end

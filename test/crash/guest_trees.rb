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
  end
end

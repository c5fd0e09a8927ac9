# frozen_string_literal: true

# Changes a tree at random and compares a TreeSnapshot with the difference of two walks.
# The test defines `@root`, NAMES (the names of the files that are created and removed), and
# `apply`, which makes one change.
module TreeChanges
  # The rounds do not wait, so that most changes are as recent as the listing before them.
  #
  # @param options [Array<Hash>] options of the snapshots
  # @yieldparam round [Integer] called after the changes of each round
  def assert_refreshes(options)
    seed = Integer(ENV.fetch("FRUGAL_SEED", Random.new_seed % 1_000_000))
    random = Random.new(seed)
    options.each do |option|
      snapshot = Frugal::TreeSnapshot.new(@root, **option)
      60.times do |round|
        before = Frugal.walk(@root, **option).to_a
        random.rand(5).times { change(random) }
        yield round if block_given?
        assert_refresh(snapshot, before, Frugal.walk(@root, **option).to_a, "FRUGAL_SEED=#{seed} #{option}, round #{round}")
      end
    end
  end

  private

  def assert_refresh(snapshot, before, after, label)
    changes = snapshot.refresh
    assert_equal (after - before).sort, changes.added, label
    assert_equal (before - after).sort, changes.removed, label
    assert_equal after, snapshot.paths, label
  end

  # Makes one change, unless the file system refuses it.
  def change(random)
    all = Frugal.walk(@root, hidden: true).to_a
    directory = [@root, *all.select { |name| Frugal.type(name) == "directory" }].sample(random: random)
    name = "#{directory}/#{self.class::NAMES.sample(random: random)}"
    apply(random, directory, name, all.sample(random: random) || name)
  rescue SystemCallError, IOError # JRuby raises IOError
    nil
  end

  # When a rename cannot replace a directory (or a link to "..", which then is the folder two above), JRuby has
  # set its mode to 0666, and its owner cannot remove it.
  def rename(from, to)
    File.rename(from, to)
  rescue SystemCallError, IOError
    [File.expand_path("../..", to), to].each { |directory| File.chmod(0o755, directory) if File.directory?(directory) }
    raise
  end
end

# frozen_string_literal: true

# Random changes of a tree against a TreeSnapshot of it; the reference is the
# difference of two walks. A test has its +@root+, the NAMES that come and go, and
# +apply+, which changes one thing.
module TreeChanges
  # No round waits: most changes are as young as the listing before them.
  #
  # @param options [Array<Hash>] of snapshots
  # @yieldparam round [Integer] after its changes
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

  # What the file system refuses is no change.
  def change(random)
    all = Frugal.walk(@root, hidden: true).to_a
    directory = [@root, *all.select { |name| Frugal.type(name) == "directory" }].sample(random: random)
    name = "#{directory}/#{self.class::NAMES.sample(random: random)}"
    apply(random, directory, name, all.sample(random: random) || name)
  rescue SystemCallError, IOError # the latter is JRuby's
    nil
  end
end

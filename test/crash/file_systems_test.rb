# frozen_string_literal: true

# needs: mounts

require_relative "safety_case"
require_relative "file_systems"

# What the times of a file prove depends on the file system. On each that this machine can
# mount: processes that increment one counter lose no update, a reader beside a stock writer
# reads no outdated table, and a tree snapshot reports all changes.
class FileSystemsTest < SafetyCase
  STOCK = "stock-0.3.0"
  COUNTERS = { STOCK => 40, "frugal-0.3.0" => 60, "frugal-0.3.0+pure" => 40, "frugal-0.3.0+ultra" => 20,
               "frugal-0.3.0+ultra+pure" => 10, "store" => 60, "store+pure" => 40,
               "store+atomic" => 30, "store+durable" => 20, "store+durable+pure" => 10 }.freeze
  READERS = { STOCK => 60, "frugal-0.3.0" => 150, "frugal-0.3.0+pure" => 60, "store" => 60, "store+pure" => 60 }.freeze
  TREES = %w[store store+pure].freeze
  WORKERS = {} # processes that are used by all tests

  Safety::FileSystem::ALL.each do |file_system|
    define_method("test_#{file_system.name.tr(" ", "_")}") do
      reason = file_system.missing
      skip "#{file_system.name}: #{reason}" if reason
      absent = [*COUNTERS.keys, *READERS.keys].filter_map { |name| Safety::Subject.new(name).missing }
      skip absent.first if absent.any?
      Safety::FileSystem.refusal # before the workers are started, so that they share the namespace
      file_system.mount(mkdir("mounts")) { |place| check(place) }
    end
  end

  # Changes by another machine must be found: the times of a directory are read again, or not used at all.
  def test_a_server_that_changes_a_tree
    fuse = Safety::FileSystem::ALL.find { |file_system| file_system.name == "fuse" }
    reason = fuse.missing
    skip "fuse: #{reason}" if reason
    folder = mkdir("mounts")
    fuse.mount(folder) do |place|
      server = "#{folder}/fuse-below/#{File.basename(place)}"
      missed = TREES.flat_map { |name| worker(name).follow_server(place, server, 5).map { |file| "#{name}: #{file}" } }
      assert_empty missed
    end
  end

  private

  def check(place)
    wrong = COUNTERS.filter_map { |name, times| counts_wrongly(name, times, place) }
    wrong += READERS.filter_map { |name, times| reads_wrongly(name, times, place) }
    wrong += TREES.flat_map { |name| misses_changes(name, place) }
    assert_empty wrong
  end

  def counts_wrongly(name, times, place)
    result = Safety::CountingCampaign.new({ worker(name) => 4 }, times: times, folder: place, kept: true).call
    puts "\n#{result}" if ENV["CRASH_VERBOSE"]
    result.to_s if result.lost != 0 || result.unended.positive? || result.error
  end

  def reads_wrongly(name, times, place)
    result = Safety::ReadersCampaign.new(worker(name), worker(STOCK, :writer), times: times, folder: place).call
    puts "\n#{result}" if ENV["CRASH_VERBOSE"]
    counts = [result.torn, result.behind, result.backwards, result.missing, result.unended]
    [result, *result.examples].join("\n") if counts.any?(&:positive?)
  end

  def misses_changes(name, place)
    Dir.mktmpdir("tree", place) { |folder| worker(name).follow_tree(folder, 24).map { |missed| "#{name}: #{missed}" } }
  end

  # With a role, it is another process than the one without.
  def worker(name, role = nil)
    WORKERS[[name, role]] ||= Safety::WorkerProcess.new(Safety::Subject.new(name)).tap do |worker|
      Minitest.after_run { worker.close }
    end
  end
end

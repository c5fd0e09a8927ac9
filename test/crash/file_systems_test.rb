# frozen_string_literal: true

require_relative "safety_case"
require_relative "file_systems"

# What the times of files prove is another thing on each file system. On each that
# this machine can mount, no update of processes that count together is lost, a
# reader beside a stock writer is never behind, and a tree's changes are all told.
class FileSystemsTest < SafetyCase
  STOCK = "stock-0.3.0"
  COUNTERS = { STOCK => 40, "frugal-0.3.0" => 60, "frugal-0.3.0+pure" => 40, "frugal-0.3.0+ultra" => 20,
               "frugal-0.3.0+ultra+pure" => 10, "store" => 60, "store+pure" => 40,
               "store+atomic" => 30, "store+durable" => 20, "store+durable+pure" => 10 }.freeze
  READERS = { STOCK => 60, "frugal-0.3.0" => 150, "frugal-0.3.0+pure" => 60, "store" => 60, "store+pure" => 60 }.freeze
  TREES = %w[store store+pure].freeze
  HOSTS = {} # processes that live as long as the tests

  Safety::FileSystem::ALL.each do |file_system|
    define_method("test_#{file_system.name.tr(" ", "_")}") do
      reason = file_system.missing
      skip "#{file_system.name} is left out: #{reason}" if reason
      absent = [*COUNTERS.keys, *READERS.keys].filter_map { |name| Safety::Subject.new(name).missing }
      skip absent.first if absent.any?
      Safety::FileSystem.refusal # the hosts see what is mounted later
      file_system.mount(mkdir("mounts")) { |place| look_at(place) }
    end
  end

  # What another machine changes shows in a directory's times when these are asked for anew, or never.
  def test_a_server_that_changes_a_tree
    fuse = Safety::FileSystem::ALL.find { |file_system| file_system.name == "fuse" }
    reason = fuse.missing
    skip "fuse is left out: #{reason}" if reason
    folder = mkdir("mounts")
    fuse.mount(folder) do |place|
      server = "#{folder}/fuse-below/#{File.basename(place)}"
      assert_empty TREES.flat_map { |name| host(name).follow_server(place, server, 5).map { |missed| "#{name}: #{missed}" } }
    end
  end

  private

  def look_at(place)
    wrong = COUNTERS.filter_map { |name, times| counts_wrongly(name, times, place) }
    wrong += READERS.filter_map { |name, times| reads_wrongly(name, times, place) }
    wrong += TREES.flat_map { |name| misses_changes(name, place) }
    assert_empty wrong
  end

  def counts_wrongly(name, times, place)
    result = Safety::CountingCampaign.new({ host(name) => 4 }, times: times, folder: place, kept: true).call
    puts "\n#{result}" if ENV["CRASH_VERBOSE"]
    result.to_s if result.lost != 0 || result.unended.positive? || result.error
  end

  def reads_wrongly(name, times, place)
    result = Safety::ReadersCampaign.new(host(name), host(STOCK, :writer), times: times, folder: place).call
    puts "\n#{result}" if ENV["CRASH_VERBOSE"]
    [result, *result.examples].join("\n") if [result.torn, result.behind, result.backwards, result.missing, result.unended].any?(&:positive?)
  end

  def misses_changes(name, place)
    Dir.mktmpdir("tree", place) { |folder| host(name).follow_tree(folder, 24).map { |missed| "#{name}: #{missed}" } }
  end

  # A writer is another process than the reader, of stock too.
  def host(name, role = nil)
    HOSTS[[name, role]] ||= Safety::Host.new(Safety::Subject.new(name)).tap { |host| Minitest.after_run { host.close } }
  end
end

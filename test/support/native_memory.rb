# frozen_string_literal: true

# Makes native objects with much memory, for test/unit/native_memory_test.rb:
#
#   ruby -I lib -r frugal test/support/native_memory.rb peak "Tree of a walk" FOLDER

require "fiddle"
require "fileutils"
require "objspace"
require "frugal/find"
require "frugal/fileutils"

# Calls the functions of collector_reports.c, which is preloaded.
module Collector
  def self.value(name) = Fiddle::Function.new(Fiddle::Handle::DEFAULT["collector_#{name}"], [], Fiddle::TYPE_LONG_LONG).call
  def self.reports = value("reports")
  def self.heap = value("heap")

  # Reports that a block causes.
  def self.count
    GC.start
    GC.disable
    before = reports
    yield
    reports - before
  ensure
    GC.enable
  end
end

PART, NAME, FOLDER = ARGV
require_relative "native_memory_trees"

Native = Frugal::Native.engine

# The raw object behind a list of paths.
def walk(root, **options) = Frugal.walk(root, **options).instance_variable_get(:@tree)

DUMP = Marshal.dump(Array.new(20_000) { |i| ["key#{i}", "value#{i}"] }.to_h)
LONG_PATH = "/#{"x" * 1_000_000}".freeze

def updated_index
  index = Native::MarshalIndex.new(DUMP)
  index.update([1], [], 1, Marshal.dump(%w[x new y]))
  index.dump_of(5)
  index
end

# A walk of Find that its block has left, in a fiber that nobody resumes.
def find_walk
  walk = Native::FindWalk.new(true, nil)
  fiber = Fiber.new { walk.catch(flat_tree, Encoding::UTF_8) { |path, _| Fiber.yield if path != flat_tree } }
  fiber.resume
  (@fibers ||= {}.compare_by_identity)[walk] = fiber if PART == "size"
  [walk, fiber].first
end

def copy
  target = "#{FOLDER}/copy"
  FileUtils.rm_rf(target)
  Native::TreeCopy.new(flat_tree, target).tap(&:next)
end

MAKERS = {
  "Tree of a walk" => -> { walk(tree) },
  "Tree with columns" => -> { walk(tree, stat: %i[mtime size]) },
  "Tree with indexed items" => -> { walk(tree).tap { |one| one.at(0) } },
  "Tree with ignore rules" => -> { walk(rules_tree, gitignore: true) },
  "Tree whose links are followed" => -> { walk(tree, follow: :once) },
  "TreeSnapshot" => -> { Native::TreeSnapshot.take(tree, { sort: true, hidden: true }) },
  "TreeSnapshot after changes" => lambda {
    Native::TreeSnapshot.take(tree, { sort: true }).tap do |one|
      FileUtils.rm_rf("#{tree}/new")
      FileUtils.mkdir_p("#{tree}/new")
      100.times { |i| File.write("#{tree}/new/#{"m" * 200}#{i}", "") }
      one.refresh
    end
  },
  "Newest" => -> { Native::Newest.new([tree], [[""]], [], true).tap { |one| one.unchanged?(0, 0, 0, 0, 0) } },
  "FindWalk" => -> { find_walk },
  "TreeCopy" => -> { copy },
  "Beneath" => -> { Native::Beneath.new(LONG_PATH, false, 0) },
  "MarshalIndex" => -> { Native::MarshalIndex.new(DUMP) },
  "MarshalIndex after an update" => -> { updated_index }
}.freeze
MAKER = MAKERS.fetch(NAME)

def peak = Integer(File.read("/proc/self/status")[/VmHWM:\s+(\d+)/, 1]) * 1024

# In a thread, so that no object stays on the main thread's stack.
def make(count) = Thread.new { Array.new(count) { MAKER.call } }.value

def print_size
  make(2)
  GC.start
  before = Collector.heap
  objects = make(4)
  GC.start
  held = Collector.heap - before
  held -= heap_of_fibers(4) if @fibers
  puts "#{held} #{objects.sum { |object| ObjectSpace.memsize_of(object) }}"
end

# Fibers keep the thread that made them, whose stack malloc has from Ruby 3.3 on.
def heap_of_fibers(count)
  before = Collector.heap
  fibers = Thread.new { Array.new(count) { Fiber.new { Fiber.yield }.tap(&:resume) } }.value
  GC.start
  (Collector.heap - before).tap { fibers.clear }
end

def print_peak
  make(2)
  GC.start
  before = peak
  40.times { MAKER.call }
  puts peak - before
end

def storm
  threads = Array.new(4) do |i|
    Thread.new { 15.times { i.even? ? walk(tree) : Frugal.each_path(tree, sort: false).first(3) } }
  end
  killed = Thread.new { loop { Frugal.each_path(tree, sort: false) { |path| path } } }
  10.times { GC.compact && GC.start }
  GC.stress = true
  walk("#{tree}/1")
  GC.stress = false
  statuses = Array.new(3) { Process.wait2(fork { exit!(Frugal.walk("#{tree}/2").size == 200 ? 0 : 1) }).last.exitstatus }
  killed.kill.join
  threads.each(&:join)
  exit statuses.all?(&:zero?)
end

# The first refresh allocates the list of directories to check.
def refresh_count(root)
  snapshot = Native::TreeSnapshot.take(root, { sort: true })
  snapshot.refresh
  { "snapshot without changes" => Collector.count { snapshot.refresh } }
end

def print_counts
  root = "#{FOLDER}/small"
  FileUtils.mkdir_p(["#{root}/a", "#{root}/empty"])
  %w[a/b c].each { |name| File.write("#{root}/#{name}", "") }
  cases = {
    "walk of a missing directory" => -> { Frugal.walk("#{root}/none") },
    "walk of nothing" => -> { Frugal.walk("#{root}/empty") },
    "walk of three" => -> { Frugal.walk(root) },
    "each_path of two directories" => -> { Frugal.each_path(root, sort: false) { |path| path } },
    "count" => -> { Frugal.count(root) },
    "mtimes" => -> { Frugal.mtimes(Dir.glob("#{root}/**/*")) },
    "find of a file" => -> { Find.find("#{root}/c") { |path| path } },
    "copy of a file" => -> { FileUtils.cp_r("#{root}/c", "#{root}/d") },
    "snapshot" => -> { Native::TreeSnapshot.take(root, { sort: true }) }
  }
  print Marshal.dump(cases.transform_values { |body| Collector.count(&body) }.merge(refresh_count(root)))
end

case PART
when "size" then print_size
when "peak" then print_peak
when "balance" then 3.times { MAKER.call }
when "storm" then tree && storm
when "count" then print_counts
end

# frozen_string_literal: true

require_relative "../test_helper"

# The memory of native objects is known to the garbage collector: complete, balanced, and reported under the VM lock.
# Each case runs in a Ruby of its own, into which test/support/collector_reports.c is preloaded.
class NativeMemoryTest < Frugal::TestCase
  PROGRAM = File.join(ROOT, "test/support/native_memory.rb")
  CASES = File.readlines(PROGRAM, chomp: true).filter_map { |line| line[/\A  "([^"]+)" => /, 1] }
  LIMITS = %w[RUBY_GC_MALLOC_LIMIT RUBY_GC_MALLOC_LIMIT_MAX RUBY_GC_OLDMALLOC_LIMIT RUBY_GC_OLDMALLOC_LIMIT_MAX].freeze

  # These own no memory but their struct, or only memory from xmalloc, which Ruby counts.
  WITHOUT_REPORTS = ["BeneathFile", "EntryFile", "MarshalTable", "RakePlan", "RakeWalk", "StoreFile", "StoreFile (kept)",
                     "TurnFile"].freeze

  # A folder for the trees that all cases walk, and for the library that counts.
  def self.shared = @shared ||= Dir.mktmpdir.tap { |folder| Minitest.after_run { FileUtils.rm_rf(folder) } }

  SIZES = {} # by the case

  def setup
    super
    skip "needs the C engine" unless Frugal::Native.engine_name == :c
  end

  CASES.each do |name|
    label = name.gsub(/\W+/, "_")

    # What ObjectSpace.memsize_of returns is what malloc has given out, but for the rounding of blocks.
    define_method("test_the_size_of_#{label}") do
      held, sizes = sizes(name)
      assert_in_delta held, sizes, held * 0.1, "bytes of four objects: malloc, memsize_of"
    end

    # The collector may wait for as much as two objects. Then 40 objects, one after the other, take less than half of
    # the memory that they take together.
    define_method("test_the_peak_of_#{label}") do
      size = sizes(name).last / 4
      grown = probe("peak", name, env: LIMITS.to_h { |limit| [limit, (2 * size).to_s] }).out.to_i
      assert_operator grown, :<, 20 * size, "bytes by which 40 objects of #{size} bytes have grown the process"
    end

    define_method("test_the_reports_of_#{label}_sum_to_zero") do
      assert_balanced probe("balance", name)
    end
  end

  def test_reports_from_threads_while_objects_move_and_walks_are_interrupted
    assert_balanced probe("storm", CASES.first)
  end

  # One report when an object is complete (and one when it is freed), none by a call that does not change its memory.
  def test_the_number_of_reports
    expected = { "walk of a missing directory" => 0, "walk of nothing" => 1, "walk of three" => 1, "count" => 1,
                 "mtimes" => 0, "find of a file" => 1, "copy of a file" => 2, "snapshot" => 1,
                 "snapshot without changes" => 0 }
    counts = Marshal.load(probe("count", CASES.first).out)
    assert_includes 1..3, counts.delete("each_path of two directories"), "at most one for each directory, and one more"
    assert_equal expected, counts
  end

  def test_each_native_class_is_here
    sources = Dir.glob(File.join(ROOT, "ext/frugal/**/*.c")).map { |file| File.read(file) }
    names = sources.flat_map { |text| text.scan(/\.wrap_struct_name = "Frugal::(?:Native::C::)?([^"]+)"/) }.flatten
    assert_equal names.sort, (WITHOUT_REPORTS + CASES.map { |name| name[/\w+/] } - %w[TreeSnapshot]).uniq.sort, "TreeSnapshot is a Tree"
  end

  private

  # @return [Array(Integer, Integer)] bytes of four objects: what malloc has given out, and what memsize_of returns
  def sizes(name) = SIZES[name] ||= probe("size", name).out.split.map(&:to_i)

  def probe(part, name, env: {})
    result = run_ruby(PROGRAM, part, name, self.class.shared, env: { "LD_PRELOAD" => library, "COLLECTOR_REPORTS" => path("reports"), **env })
    assert result.success?, result
    result
  end

  # At exit Ruby has freed all objects.
  def assert_balanced(result)
    sum, reports, unlocked = File.read(path("reports")).split.map(&:to_i)
    assert_operator reports, :>, 0, result
    assert_equal [0, 0], [sum, unlocked], "the sum of #{reports} reports, and how many came without the VM lock"
  end

  # A library of Ruby can be interposed; a static Ruby cannot.
  def library
    skip "Ruby is not in a library of its own" unless RbConfig::CONFIG["ENABLE_SHARED"] == "yes"
    skip "needs glibc 2.33" unless RUBY_PLATFORM.end_with?("linux-gnu") || RUBY_PLATFORM.end_with?("linux")

    "#{self.class.shared}/reports.so".tap do |target|
      next if File.exist?(target)

      source = File.join(ROOT, "test/support/collector_reports.c")
      built = run_command(ENV["CC"] || RbConfig::CONFIG["CC"].split.first, "-shared", "-fPIC", "-O1", "-Wall", "-Werror",
                          source, "-o", target, "-ldl")
      assert built.success?, built
    end
  end
end

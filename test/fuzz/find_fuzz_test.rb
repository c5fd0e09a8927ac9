# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/fuzzers"

# A short run of the differential fuzzer of Find.
class FindFuzzTest < Frugal::TestCase
  include Fuzzers

  def setup
    skip "the drop-in stands aside here" unless Frugal::Native.engine.const_defined?(:FindWalk)
  end

  def test_no_difference
    result = fuzz("find", "--cases", "150")
    puts "\nfind: #{result.out}"
    assert result.success?, result
  end

  def test_stock_does_not_differ_from_stock
    assert fuzz("find", "--cases", "60", "--control").success?
  end

  # Without a ring, the kernel is asked at each path.
  def test_no_difference_without_a_ring
    result = fuzz("find", "--cases", "50", env: { "LD_PRELOAD" => library(File.join(__dir__, "find/no_ring.c")) })
    assert result.success?, result
  end

  # Each is a library that is preloaded and breaks a system call.
  Dir[File.join(__dir__, "find/mutants/*.c")].each do |source|
    name = File.basename(source, ".c")
    define_method("test_the_mutant_#{name.tr("-", "_")}_is_found") do
      skip "whether a fuzzer finds anything: bin/test --all" if QUICK
      skip "no ring is allowed here" if name == "events-untaken" && !ring?
      result = fuzz("find", "--cases", "3000", env: { "LD_PRELOAD" => library(source) })
      assert_equal 1, result.exitstatus, result
      assert_match(/^case \d+ of seed #{SEED} differs/, result.out.b) # names in the report may have any bytes
    end
  end

  private

  RING = <<~'RUBY'
    require "find"
    require "frugal/find"
    Frugal::Dropin::Find.send(:remove_const, :WATCH_AFTER)
    Frugal::Dropin::Find::WATCH_AFTER = 0
    open = Find.find(ARGV[0]).flat_map { Dir.children("/proc/self/fd").map { |fd| File.readlink("/proc/self/fd/#{fd}") rescue nil } }
    puts open.include?("anon_inode:[io_uring]")
  RUBY
  private_constant :RING

  # Whether the system has a ring and allows it.
  def ring?
    mkdir("some/folder")
    run_command(RUBY, "-I", LIB, "-e", RING, path("some")).out == "true\n"
  end

  def library(source)
    path("preloaded.so").tap do |library|
      built = run_command(ENV["CC"] || RbConfig::CONFIG["CC"].split.first, "-shared", "-fPIC", "-o", library, source)
      assert built.success?, built
    end
  end
end

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

  # Each is a library that is preloaded and breaks a system call.
  Dir[File.join(__dir__, "find/mutants/*.c")].each do |source|
    name = File.basename(source, ".c")
    define_method("test_the_mutant_#{name.tr("-", "_")}_is_found") do
      library = path("mutant.so")
      built = run_command(ENV["CC"] || RbConfig::CONFIG["CC"].split.first, "-shared", "-fPIC", "-o", library, source)
      assert built.success?, built
      result = fuzz("find", "--cases", "3000", env: { "LD_PRELOAD" => library })
      assert_equal 1, result.exitstatus, result
      assert_match(/^case \d+ of seed #{SEED} differs/, result.out.b) # names in the report may have any bytes
    end
  end
end

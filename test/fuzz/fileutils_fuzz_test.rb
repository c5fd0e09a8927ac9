# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/fuzzers"

# A short run of the differential fuzzer of FileUtils.
class FileutilsFuzzTest < Frugal::TestCase
  include Fuzzers

  # Of those in fileutils/mutants.rb, one for each operation of the drop-in.
  MUTANTS = ["entries left to stock are skipped", "the mode is ignored", "entries passed to Ruby are not copied"].freeze

  def setup
    skip "the drop-in stands aside here" unless Frugal::Native.engine.respond_to?(:remove_tree)
  end

  def test_no_difference
    result = fuzz("fileutils", "--cases", "100")
    puts "\nfileutils: #{result.out}"
    assert result.success?, result
  end

  def test_stock_does_not_differ_from_stock
    assert fuzz("fileutils", "--cases", "30", "--control").success?
  end

  MUTANTS.each do |mutant|
    define_method("test_a_mutant_is_found_#{mutant.tr(" ", "_")}") do
      result = fuzz("fileutils", "--cases", "3000", "--mutant", mutant)
      assert_equal 1, result.exitstatus, result
      assert_match(/^case \d+ of seed #{SEED} differs/, result.out.b) # names in the report may have any bytes
    end
  end
end

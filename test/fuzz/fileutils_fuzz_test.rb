# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/fuzzers"

# The differential fuzzer of FileUtils in small.
class FileutilsFuzzTest < Frugal::TestCase
  include Fuzzers

  # Of those in fileutils/plants.rb, one for each thing that the drop-in does.
  PLANTS = ["what is left to stock is forgotten", "the mode is ignored", "the handed entries are not copied"].freeze

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

  PLANTS.each do |plant|
    define_method("test_a_planted_bug_is_found_#{plant.tr(" ", "_")}") do
      result = fuzz("fileutils", "--cases", "3000", "--plant", plant)
      assert_equal 1, result.exitstatus, result
      assert_match(/^case \d+ of seed #{SEED} differs/, result.out.b) # names in it may be of any bytes
    end
  end
end

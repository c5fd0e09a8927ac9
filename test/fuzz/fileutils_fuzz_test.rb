# frozen_string_literal: true

require_relative "../test_helper"

# The differential fuzzer of FileUtils in small. FUZZ_SEED makes it the same again.
class FileutilsFuzzTest < Frugal::TestCase
  SEED = Integer(ENV.fetch("FUZZ_SEED", (Random.new_seed % 1_000_000_000).to_s))
  SCRIPT = File.join(__dir__, "fileutils_fuzz.rb")
  # Of those in fileutils/plants.rb, one for each thing that the drop-in does.
  PLANTS = ["what is left to stock is forgotten", "the mode is ignored", "the handed entries are not copied"].freeze

  def setup
    skip "the drop-in stands aside here" unless Frugal::Native.engine.respond_to?(:remove_tree)
  end

  def test_no_difference
    result = fuzz("--cases", "100")
    puts "\nfileutils: #{result.out}"
    assert result.success?, result
  end

  def test_stock_does_not_differ_from_stock
    assert fuzz("--cases", "30", "--control").success?
  end

  PLANTS.each do |plant|
    define_method("test_a_planted_bug_is_found_#{plant.tr(" ", "_")}") do
      result = fuzz("--cases", "3000", "--plant", plant)
      assert_equal 1, result.exitstatus, result
      assert_match(/^case \d+ of seed #{SEED} differs/, result.out)
    end
  end

  private

  def fuzz(*options) = run_command(RUBY, "-w", SCRIPT, "--seed", SEED.to_s, *options)
end

# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/fuzzers"
require_relative "../support/racks"

# A short run of the differential fuzzer of Frugal::Files.
class FilesFuzzTest < Frugal::TestCase
  include Fuzzers

  def setup
    skip WebGems::MISSING unless Racks::NEWEST
  end

  %w[c pure].each do |engine|
    define_method("test_no_difference_with_the_engine_#{engine}") do
      result = fuzz("files", "--cases", "60", "--engine", engine)
      puts "\nfiles, #{engine}: #{result.out}"
      assert result.success?, result
    end
  end

  def test_no_difference_from_rack_2
    skip WebGems::MISSING unless Racks::FOLDERS.key?("2.2.17")
    result = fuzz("files", "--cases", "40", "--rack", "2.2.17")
    assert result.success?, result
  end

  %w[links_are_followed ranges_of_variants tags_are_forgotten descriptors_leak dots_stay].each do |mutant|
    define_method("test_the_mutant_#{mutant}_is_found") do
      result = fuzz("files", "--cases", "1000", "--mutant", mutant)
      assert_equal 1, result.exitstatus, result
      assert_match(/^case \d+ of seed #{SEED} differs/, result.out.b) # its names may have any bytes
    end
  end
end

# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/caches"
require_relative "../support/fuzzers"

# A short run of the differential fuzzer of Rails' file checkers.
class CheckerFuzzTest < Frugal::TestCase
  include Fuzzers

  CASES = QUICK ? 10 : 40
  UPSTREAMS = Caches.all("activesupport")

  def setup
    skip "the drop-in stands aside here" unless Frugal::Native.engine_name == :c
    skip "bin/setup --caches" if UPSTREAMS.empty?
  end

  def test_no_difference
    result = fuzz("checker", "--cases", CASES.to_s)
    puts "\ncheckers: #{result.out}"
    assert result.success?, result
    UPSTREAMS.each { |name| assert_includes result.out, "\n#{name}: #{CASES} cases, no difference\n" }
    counts = result.out.scan(/(\d+) unchanged, (\d+) of them asked of stock/)
    assert_equal UPSTREAMS.size, counts.size
    counts.each { |unchanged, left| assert_operator left.to_i, :<, unchanged.to_i, "the drop-in answers nothing" }
  end

  # Each is a file that breaks the drop-in once it is on.
  Dir[File.join(__dir__, "checker/mutants/*.rb")].each do |mutant|
    define_method("test_the_mutant_#{File.basename(mutant, ".rb")}_is_found") do
      result = fuzz("checker", "--cases", "800", "--upstream", UPSTREAMS[SEED % UPSTREAMS.size], "--mutant", mutant)
      assert_equal 1, result.exitstatus, result
      assert_match(/^case \d+, step \d+: /, result.out)
    end
  end
end

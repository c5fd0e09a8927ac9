# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/caches"
require_relative "../support/fuzzers"

# A short run of the differential fuzzer of the file stores.
class CacheFuzzTest < Frugal::TestCase
  include Fuzzers

  CASES = 24
  UPSTREAMS = Caches.all("activesupport") + Caches.all("sprockets")

  def setup
    skip "the drop-ins stand aside here" unless Frugal::Native.engine_name == :c
    skip "bin/setup --caches" if UPSTREAMS.empty?
  end

  def test_no_difference
    %w[activesupport sprockets].each do |upstream| # one version in each run; run the fuzzer by hand for all
      name = Caches.all(upstream).then { |names| names[SEED % names.size] }
      result = fuzz("cache", "--cases", CASES.to_s, "--upstream", name)
      puts "\ncaches: #{result.out}"
      assert result.success?, result
      assert_equal "#{name}: #{CASES} cases, no difference\n", result.out.lines.last
    end
  end

  def test_stock_does_not_differ_from_stock
    result = fuzz("cache", "--cases", "6", "--control", "--upstream", UPSTREAMS[SEED % UPSTREAMS.size])
    assert result.success?, result
  end

  # Each is a file that breaks the drop-in once it is on.
  Dir[File.join(__dir__, "cache/mutants/*.rb")].each do |mutant|
    name = File.basename(mutant, ".rb")
    define_method("test_the_mutant_#{name}_is_found") do
      upstream = name.start_with?("sprockets") ? UPSTREAMS.last : UPSTREAMS.first
      result = fuzz("cache", "--cases", "600", "--upstream", upstream, "--mutant", mutant)
      assert_equal 1, result.exitstatus, result
      assert_match(/^case \d+ of seed #{SEED} differs with #{upstream}/, result.out)
    end
  end
end

# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/fuzzers"
require_relative "../support/sinatras"

# A short run of the differential fuzzer of Sinatra applications.
class SinatraFuzzTest < Frugal::TestCase
  include Fuzzers

  APPLICATIONS = QUICK ? 8 : 30

  def setup
    skip "the drop-in stands aside here" unless RUBY_ENGINE == "ruby"
    skip WebGems::MISSING if Sinatras.all.empty?
  end

  def test_no_difference
    version = Sinatras.all[SEED % Sinatras.all.size] # one for each run of the tests
    result = fuzz("sinatra", "--cases", APPLICATIONS.to_s, "--upstream", version)
    assert result.success?, result
    assert_equal "#{version}: #{APPLICATIONS} cases, no difference\n", result.out.lines.last
  end

  # A mutant is a file that breaks the drop-in after it has been turned on.
  def test_mutants_are_found
    mutants = Dir[File.join(__dir__, "sinatra/mutants/*.rb")]
    assert_operator mutants.size, :>, 3
    mutant = mutants[SEED % mutants.size] # one for each run of the tests
    result = fuzz("sinatra", "--cases", "1000", "--upstream", Sinatras.all.last, "--mutant", mutant)
    assert_equal 1, result.exitstatus, "#{mutant}: #{result}"
    assert_match(/^case \d+ of seed #{SEED} differs with #{Sinatras.all.last}/, result.out)
  end
end

# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/fuzzers"
require_relative "../support/sinatras"

# The differential fuzzer of Sinatra applications in small.
class SinatraFuzzTest < Frugal::TestCase
  include Fuzzers

  APPLICATIONS = 30

  def setup
    skip "the drop-in stands aside here" unless RUBY_ENGINE == "ruby"
    skip WebGems::MISSING if Sinatras.all.empty?
  end

  def test_no_difference
    version = Sinatras.all[SEED % Sinatras.all.size] # one a run, all by hand
    result = fuzz("sinatra", "--cases", APPLICATIONS.to_s, "--upstream", version)
    assert result.success?, result
    assert_equal "#{version}: #{APPLICATIONS} cases, no difference\n", result.out.lines.last
  end

  # Each is a file that breaks the drop-in once it is on.
  def test_planted_bugs_are_found
    plants = Dir[File.join(__dir__, "sinatra/plants/*.rb")].sort
    assert_operator plants.size, :>, 3
    plant = plants[SEED % plants.size] # one a run, all by hand
    result = fuzz("sinatra", "--cases", "1000", "--upstream", Sinatras.all.last, "--plant", plant)
    assert_equal 1, result.exitstatus, "#{plant}: #{result}"
    assert_match(/^case \d+ of seed #{SEED} differs with #{Sinatras.all.last}/, result.out)
  end
end

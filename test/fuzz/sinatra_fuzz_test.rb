# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/sinatras"

# The differential fuzzer of Sinatra applications in small. FUZZ_SEED makes it the same again.
class SinatraFuzzTest < Frugal::TestCase
  SEED = Integer(ENV.fetch("FUZZ_SEED", (Random.new_seed % 1_000_000_000).to_s))
  SCRIPT = File.join(__dir__, "sinatra_fuzz.rb")
  APPLICATIONS = 30

  def setup
    skip "the drop-in stands aside here" unless RUBY_ENGINE == "ruby"
    skip WebGems::MISSING if Sinatras.all.empty?
  end

  def test_no_difference
    version = Sinatras.all[SEED % Sinatras.all.size] # one a run, all by hand
    result = fuzz("--cases", APPLICATIONS.to_s, "--upstream", version)
    assert result.success?, result
    assert_equal "Sinatra #{version}: #{APPLICATIONS} applications, no difference\n", result.out.lines.last
  end

  # Each is a file that breaks the drop-in once it is on.
  def test_planted_bugs_are_found
    plants = Dir[File.join(__dir__, "sinatra/plants/*.rb")].sort
    assert_operator plants.size, :>, 3
    plant = plants[SEED % plants.size] # one a run, all by hand
    result = fuzz("--cases", "1000", "--upstream", Sinatras.all.last, "--plant", plant)
    assert_equal 1, result.exitstatus, "#{plant}: #{result}"
    assert_match(/^case \d+ of seed #{SEED} differs with #{Sinatras.all.last}/, result.out)
  end

  private

  def fuzz(*options) = run_command(RUBY, "-w", SCRIPT, "--seed", SEED.to_s, *options)
end

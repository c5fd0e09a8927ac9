# frozen_string_literal: true

require_relative "safety_case"

# A few kills at random moments; campaign.rb makes thousands.
class StormsTest < SafetyCase
  # One kill in ten or so hits; ten campaigns miss once in some thousand millions.
  def test_stock_ultra_safe_leaves_files_behind
    with_subject("stock-0.3.0+ultra") do |host|
      results = (0...10).lazy.map { |round| Safety::StormsCampaign.new(host, size: 400_000, kills: 25, seed: SEED + round).call }
      assert_broken(results.find { |result| result.leftovers.positive? } || results.first, :leftovers)
    end
  end

  def test_a_store_that_is_right_passes
    assert_kept("reference") { |host| Safety::StormsCampaign.new(host, size: 100_000, kills: 15, seed: SEED).call }
  end

  %w[frugal-0.3.0 frugal-0.2.1+ultra frugal-0.3.0+yaml].each do |name|
    define_method("test_#{name}") do
      assert_kept(name) { |host| Safety::StormsCampaign.new(host, size: 600, kills: 25, seed: SEED).call }
    end
  end

  def test_large_and_ultra_safe
    assert_kept("frugal-0.3.0+ultra") { |host| Safety::StormsCampaign.new(host, size: 8_000_000, kills: 4, seed: SEED).call }
  end
end

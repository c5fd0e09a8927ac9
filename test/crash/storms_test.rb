# frozen_string_literal: true

require_relative "safety_case"

# A few kills at random moments; campaign.rb runs thousands.
class StormsTest < SafetyCase
  # About one kill in ten leaves a file. That none of 250 does is practically impossible.
  def test_stock_ultra_safe_leaves_files_behind
    with_subject("stock-0.3.0+ultra") do |worker|
      results = (0...10).lazy.map do |round|
        Safety::StormsCampaign.new(worker, size: 400_000, kills: 25, seed: SEED + round).call
      end
      assert_broken(results.find { |result| result.leftovers.positive? } || results.first, :leftovers)
    end
  end

  def test_a_correct_store_passes
    assert_kept("reference") { |worker| Safety::StormsCampaign.new(worker, size: 100_000, kills: 15, seed: SEED).call }
  end

  %w[frugal-0.3.0 frugal-0.2.1+ultra frugal-0.3.0+yaml].each do |name|
    define_method("test_#{name}") do
      assert_kept(name) { |worker| Safety::StormsCampaign.new(worker, size: 600, kills: 25, seed: SEED).call }
    end
  end

  def test_large_and_ultra_safe
    assert_kept("frugal-0.3.0+ultra") do |worker|
      Safety::StormsCampaign.new(worker, size: 8_000_000, kills: 4, seed: SEED).call
    end
  end
end

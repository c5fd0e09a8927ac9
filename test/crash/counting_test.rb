# frozen_string_literal: true

require_relative "safety_case"

# Eight processes increment a counter in one store, alone and beside stock.
class CountingTest < SafetyCase
  TIMES = 60

  def test_stock_021_ultra_safe_loses_updates
    with_subject("stock-0.2.1+ultra") { |worker| assert_broken(count(worker => 8), :lost) }
  end

  def test_stock_030_does_not
    assert_kept("stock-0.3.0+ultra") { |worker| count(worker => 8) }
  end

  %w[frugal-0.3.0 frugal-0.3.0+ultra frugal-0.2.1+ultra frugal-0.1.1+ultra frugal-0.3.0+yaml+ultra
     frugal-0.3.0+ultra+pure].each do |name|
    define_method("test_#{name}") { assert_kept(name) { |worker| count(worker => 8) } }
  end

  [%w[frugal-0.3.0 stock-0.3.0+ultra], %w[frugal-0.3.0+ultra stock-0.3.0], %w[frugal-0.2.1 stock-0.2.1],
   %w[frugal-0.1.1 stock-0.3.0+ultra], %w[frugal-0.3.0 stock-0.1.1]].each do |name, other|
    define_method("test_#{name}_beside_#{other}") do
      assert_kept(name) { |worker| with_subject(other) { |stock| count(worker => 4, stock => 4) } }
    end
  end

  private

  def count(workers) = Safety::CountingCampaign.new(workers, times: TIMES).call
end

# frozen_string_literal: true

require_relative "safety_case"

# Files truncated at every byte, and files with wrong bytes.
class CorruptionTest < SafetyCase
  def test_stock_021_reads_truncated_files_as_empty_ones
    with_subject("stock-0.2.1") do |worker|
      assert_broken(Safety::CorruptionCampaign.new(worker, wrong: 0).call, :empty)
    end
  end

  def test_stock_030_does_not
    assert_kept("stock-0.3.0") { |worker| Safety::CorruptionCampaign.new(worker, wrong: 100, seed: SEED).call }
  end

  %w[frugal-0.1.1 frugal-0.2.1 frugal-0.3.0 frugal-0.3.0+yaml frugal-0.3.0+pure].each do |name|
    define_method("test_#{name}") do
      assert_kept(name) do |worker|
        with_subject(name.sub("frugal", "stock").delete_suffix("+pure")) do |stock|
          every = name.include?("yaml") ? 5 : 1
          Safety::CorruptionCampaign.new(worker, control: stock, wrong: 150, every: every, seed: SEED).call
        end
      end
    end
  end
end

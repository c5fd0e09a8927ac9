# frozen_string_literal: true

require_relative "safety_case"

# Files cut at every byte, and files with wrong bytes.
class CorruptionTest < SafetyCase
  def test_stock_021_reads_cut_files_as_empty_ones
    with_subject("stock-0.2.1") { |host| assert_broken(Safety::CorruptionCampaign.new(host, wrong: 0).call, :empty) }
  end

  def test_stock_030_does_not
    assert_kept("stock-0.3.0") { |host| Safety::CorruptionCampaign.new(host, wrong: 100, seed: SEED).call }
  end

  %w[frugal-0.1.1 frugal-0.2.1 frugal-0.3.0 frugal-0.3.0+yaml frugal-0.3.0+pure].each do |name|
    define_method("test_#{name}") do
      assert_kept(name) do |host|
        with_subject(name.sub("frugal", "stock").delete_suffix("+pure")) do |stock|
          Safety::CorruptionCampaign.new(host, control: stock, wrong: 150, every: name.include?("yaml") ? 5 : 1, seed: SEED).call
        end
      end
    end
  end
end

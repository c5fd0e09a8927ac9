# frozen_string_literal: true

require_relative "safety_case"

# Transactions on file systems of 64 pages with few free ones.
class FullDiskTest < SafetyCase
  def setup
    super
    reason = Safety::FullDiskCampaign.missing
    skip reason if reason
  end

  def test_stock_destroys_the_store
    with_subject("stock-0.3.0") do |worker|
      assert_broken(Safety::FullDiskCampaign.new(worker, "grow", free: 0..3).call, :destroyed)
    end
  end

  %w[reference frugal-0.3.0 frugal-0.3.0+ultra frugal-0.3.0+yaml frugal-0.2.1 frugal-0.3.0+pure].each do |name|
    define_method("test_#{name}") do
      assert_kept(name) do |worker|
        results = ["first write", "grow", "shrink"].map do |workload|
          Safety::FullDiskCampaign.new(worker, workload, free: [0, 1, 3, 5]).call
        end
        assert_operator results.sum(&:refused), :>, 0, "the disk was not full"
        results
      end
    end
  end
end

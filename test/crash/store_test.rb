# frozen_string_literal: true

require_relative "safety_case"
require_relative "traced_fork"

# The safety tests for Frugal::Store with each durability and engine.
class StoreSafetyTest < SafetyCase
  { "store" => ["grow", "shrink"], "store+atomic" => ["grow", "through a link"],
    "store+durable" => ["first write", "grow", "delete", "through a link"],
    "store+durable+json" => ["grow", "small and often"],
    "store+durable+pure" => ["small and often"] }.each do |name, workloads|
    define_method("test_crash_states_#{name}") do
      needs_strace
      assert_kept(name) { |worker| workloads.map { |workload| Safety::StatesCampaign.new(worker, workload).call } }
    end
  end

  # SQLite creates its log with a dozen calls; all subsets of 8 of them would be too many states.
  %w[store+sqlite+atomic store+sqlite+durable].each do |name|
    define_method("test_crash_states_#{name}") do
      needs_strace
      assert_kept(name) do |worker|
        ["first write", "small and often"].map do |workload|
          Safety::StatesCampaign.new(worker, workload, window: 3).call
        end
      end
    end
  end

  # The control: a store without a journal.
  def test_a_store_without_a_journal_is_not_durable
    needs_strace
    with_subject("store") do |worker|
      assert_broken(Safety::StatesCampaign.new(worker, "grow").call, :bad, :lost)
    end
  end

  { "store" => [["shrink", false]], "store+atomic" => [["grow", false]], "store+durable" => [["grow", false]],
    "store+durable+messagepack" => [["shrink", true]] }.each do |name, cases|
    define_method("test_faults_#{name}") do
      needs_strace
      assert_kept(name) do |worker|
        cases.map { |workload, warm| Safety::FaultsCampaign.new(worker, workload, warm: warm).call }
      end
    end
  end

  { "store" => 600, "store+atomic" => 300_000, "store+durable" => 300_000,
    "store+sqlite" => 300_000 }.each do |name, size|
    define_method("test_kills_#{name}") do
      assert_kept(name) { |worker| Safety::StormsCampaign.new(worker, size: size, kills: 12, seed: SEED).call }
    end
  end

  def test_full_disks
    reason = Safety::FullDiskCampaign.missing
    skip reason if reason
    %w[store store+json].each do |name|
      assert_kept(name) do |worker|
        ["grow", "shrink"].map do |workload|
          Safety::FullDiskCampaign.new(worker, workload, free: [0, 1, 3]).call
        end
      end
    end
  end

  %w[store+durable store+atomic+json store+sqlite].each do |name|
    define_method("test_counting_#{name}") do
      assert_kept(name) { |worker| Safety::CountingCampaign.new({ worker => 8 }, times: 30).call }
    end
  end

  %w[store store+durable].each do |name|
    define_method("test_counting_#{name}_beside_stock") do
      assert_kept(name) do |worker|
        with_subject("stock-0.3.0") do |stock|
          Safety::CountingCampaign.new({ worker => 4, stock => 4 }, times: 30).call
        end
      end
    end
  end

  def test_corruption
    assert_kept("store") { |worker| Safety::CorruptionCampaign.new(worker, wrong: 0, every: 3).call }
  end
end

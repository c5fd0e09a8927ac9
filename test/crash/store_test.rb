# frozen_string_literal: true

require_relative "safety_case"
require_relative "traced_fork"

# Frugal::Store in each durability and engine: what test/crash proves of the drop-in.
class StoreSafetyTest < SafetyCase
  { "store" => ["grow", "shrink"], "store+atomic" => ["grow", "through a link"], "store+durable" => ["first write", "grow", "delete", "through a link"],
    "store+durable+json" => ["grow", "small and often"], "store+durable+pure" => ["small and often"] }.each do |name, workloads|
    define_method("test_crash_states_#{name}") do
      needs_strace
      assert_kept(name) { |host| workloads.map { |workload| Safety::StatesCampaign.new(host, workload).call } }
    end
  end

  # Its log is made with a dozen calls, so that fewer of them can be taken together.
  %w[store+sqlite+atomic store+sqlite+durable].each do |name|
    define_method("test_crash_states_#{name}") do
      needs_strace
      assert_kept(name) { |host| ["first write", "small and often"].map { |workload| Safety::StatesCampaign.new(host, workload, window: 3).call } }
    end
  end

  # The control: without its journal, the file alone.
  def test_the_file_alone_is_not_durable
    needs_strace
    with_subject("store") { |host| assert_broken(Safety::StatesCampaign.new(host, "grow").call, :bad, :lost) }
  end

  { "store" => [["shrink", false]], "store+atomic" => [["grow", false]], "store+durable" => [["grow", false]],
    "store+durable+messagepack" => [["shrink", true]] }.each do |name, cases|
    define_method("test_faults_#{name}") do
      needs_strace
      assert_kept(name) { |host| cases.map { |workload, warm| Safety::FaultsCampaign.new(host, workload, warm: warm).call } }
    end
  end

  { "store" => 600, "store+atomic" => 300_000, "store+durable" => 300_000, "store+sqlite" => 300_000 }.each do |name, size|
    define_method("test_kills_#{name}") do
      assert_kept(name) { |host| Safety::StormsCampaign.new(host, size: size, kills: 12, seed: SEED).call }
    end
  end

  def test_full_disks
    reason = Safety::FullDiskCampaign.missing
    skip reason if reason
    %w[store store+json].each do |name|
      assert_kept(name) { |host| ["grow", "shrink"].map { |workload| Safety::FullDiskCampaign.new(host, workload, free: [0, 1, 3]).call } }
    end
  end

  %w[store+durable store+atomic+json store+sqlite].each do |name|
    define_method("test_counting_#{name}") { assert_kept(name) { |host| Safety::CountingCampaign.new({ host => 8 }, times: 30).call } }
  end

  %w[store store+durable].each do |name|
    define_method("test_counting_#{name}_beside_stock") do
      assert_kept(name) { |host| with_subject("stock-0.3.0") { |stock| Safety::CountingCampaign.new({ host => 4, stock => 4 }, times: 30).call } }
    end
  end

  def test_corruption
    assert_kept("store") { |host| Safety::CorruptionCampaign.new(host, wrong: 0, every: 3).call }
  end
end

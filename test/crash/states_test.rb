# frozen_string_literal: true

require_relative "safety_case"
require_relative "traced_fork"

# All crash states of each workload. crash_states.rb describes the model.
class CrashStatesTest < SafetyCase
  ALL = Safety::Workload::ALL.keys
  # YAML is too slow for so many states of 250 roots.
  YAML = ALL - ["many roots"]

  def setup
    super
    needs_strace
  end

  def test_a_durable_store_passes
    assert_kept("reference") { |worker| states(worker, ALL) }
  end

  def test_a_file_that_is_not_synced_is_found
    with_subject("reference+nofilesync") do |worker|
      states(worker, ["grow", "small and often"]).each { |result| assert_broken(result, :bad) }
    end
  end

  def test_a_folder_that_is_not_synced_is_found
    with_subject("reference+nofoldersync") do |worker|
      states(worker, ["grow", "small and often"]).each do |result|
        assert_broken(result, :lost)
        assert_equal 0, result.bad
      end
    end
  end

  def test_a_disk_with_a_journal_keeps_names_in_order
    with_subject("reference+nofoldersync") do |worker|
      any, journal = [false, true].map do |kind|
        Safety::StatesCampaign.new(worker, "small and often", journal: kind).call
      end
      assert_operator journal.tried, :<, any.tried
      assert_operator journal.lost, :>, 0
    end
  end

  # The bytes and the calls are the same each time, so the counts are exact.
  def test_stock_is_neither_safe_nor_durable
    with_subject("stock-0.3.0") do |worker|
      result = assert_broken(Safety::StatesCampaign.new(worker, "change, same size").call, :bad, :lost)
      assert_equal [29, 18, 4], [result.tried, result.bad, result.lost]
    end
  end

  def test_stock_ultra_safe_is_neither_safe_nor_durable
    with_subject("stock-0.3.0+ultra") do |worker|
      result = assert_broken(Safety::StatesCampaign.new(worker, "small and often").call, :bad, :lost, :leftovers)
      assert_equal [365, 98, 192], [result.tried, result.bad, result.lost]
    end
  end

  def test_stock_yaml_that_shrinks_is_torn_by_a_kill
    with_subject("stock-0.3.0+yaml") do |worker|
      states(worker, %w[shrink delete]).each { |result| assert_broken(result, :bad_after_kill) }
    end
  end

  {
    "frugal-0.3.0" => ALL, "frugal-0.3.0+ultra" => ALL, "frugal-0.3.0+yaml" => YAML,
    "frugal-0.3.0+yaml+ultra" => YAML - ["grow"],
    "frugal-0.2.1+ultra" => ["first write", "small and often", "through a link"],
    "frugal-0.3.0+ultra+pure" => %w[grow shrink delete]
  }.each do |name, workloads|
    define_method("test_#{name}") { assert_kept(name) { |worker| states(worker, workloads) } }
  end

  private

  def states(worker, workloads) = workloads.map { |workload| Safety::StatesCampaign.new(worker, workload).call }
end

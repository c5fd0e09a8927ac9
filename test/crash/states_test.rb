# frozen_string_literal: true

require_relative "safety_case"
require_relative "traced_fork"

# Every crash state of each workload. The model is told in crash_states.rb.
class CrashStatesTest < SafetyCase
  ALL = Safety::Workload::ALL.keys
  # YAML reads 250 roots too slowly for as many states.
  YAML = ALL - ["many roots"]

  def setup
    super
    needs_strace
  end

  def test_the_model_passes_a_store_that_is_durable
    assert_kept("reference") { |host| states(host, ALL) }
  end

  def test_the_model_finds_a_file_that_is_not_synced
    with_subject("reference+nofilesync") { |host| states(host, ["grow", "small and often"]).each { |result| assert_broken(result, :bad) } }
  end

  def test_the_model_finds_a_folder_that_is_not_synced
    with_subject("reference+nofoldersync") do |host|
      states(host, ["grow", "small and often"]).each do |result|
        assert_broken(result, :lost)
        assert_equal 0, result.bad
      end
    end
  end

  def test_a_disk_with_a_journal_keeps_names_in_order
    with_subject("reference+nofoldersync") do |host|
      any, journal = [false, true].map { |kind| Safety::StatesCampaign.new(host, "small and often", journal: kind).call }
      assert_operator journal.tried, :<, any.tried
      assert_operator journal.lost, :>, 0
    end
  end

  # The same bytes through the same calls each time: the counts are exact.
  def test_stock_is_neither_safe_nor_durable
    with_subject("stock-0.3.0") do |host|
      result = assert_broken(Safety::StatesCampaign.new(host, "change, same size").call, :bad, :lost)
      assert_equal [29, 18, 4], [result.tried, result.bad, result.lost]
    end
  end

  def test_stock_ultra_safe_is_neither_safe_nor_durable
    with_subject("stock-0.3.0+ultra") do |host|
      result = assert_broken(Safety::StatesCampaign.new(host, "small and often").call, :bad, :lost, :leftovers)
      assert_equal [365, 98, 192], [result.tried, result.bad, result.lost]
    end
  end

  def test_stock_yaml_that_shrinks_is_torn_by_a_kill
    with_subject("stock-0.3.0+yaml") { |host| states(host, %w[shrink delete]).each { |result| assert_broken(result, :killed) } }
  end

  {
    "frugal-0.3.0" => ALL, "frugal-0.3.0+ultra" => ALL, "frugal-0.3.0+yaml" => YAML, "frugal-0.3.0+yaml+ultra" => YAML - ["grow"],
    "frugal-0.2.1+ultra" => ["first write", "small and often", "through a link"], "frugal-0.3.0+ultra+pure" => %w[grow shrink delete]
  }.each do |name, workloads|
    define_method("test_#{name}") { assert_kept(name) { |host| states(host, workloads) } }
  end

  private

  def states(host, workloads) = workloads.map { |workload| Safety::StatesCampaign.new(host, workload).call }
end

# frozen_string_literal: true

require_relative "safety_case"
require_relative "traced_fork"

# Every system call of a transaction fails once with each of its errors, and the process is killed before every call.
class FaultsTest < SafetyCase
  def setup
    super
    needs_strace
  end

  def test_a_correct_store_passes
    assert_kept("reference") { |worker| faults(worker, "grow") }
  end

  def test_stock_yaml_is_torn_between_write_and_ftruncate
    with_subject("stock-0.3.0+yaml") do |worker|
      assert_broken(faults(worker, "shrink", only: /ftruncate/), :torn, :stuck)
    end
  end

  def test_stock_commits_although_it_raised_an_error
    with_subject("stock-0.3.0") do |worker|
      assert_broken(faults(worker, "first write", only: /write:error=EIO:when=1\z/), :committed)
    end
  end

  def test_stock_ultra_safe_leaves_its_temporary_file
    with_subject("stock-0.3.0+ultra") do |worker|
      assert_broken(faults(worker, "grow", only: /rename:signal/), :leftovers, :kept)
    end
  end

  def test_stock_021_leaks_a_descriptor
    with_subject("stock-0.2.1") { |worker| assert_broken(faults(worker, "grow", only: /ENOLCK/), :leaked) }
  end

  {
    "frugal-0.3.0" => [["grow", false], ["shrink", true]],
    "frugal-0.3.0+ultra" => [["through a link", false]],
    "frugal-0.3.0+yaml" => [["shrink", false]],
    "frugal-0.2.1+ultra" => [["first write", false]],
    "frugal-0.3.0+pure" => [["grow", true]],
    "frugal-0.3.0+ultra+pure" => [["change, same size", false]]
  }.each do |name, cases|
    define_method("test_#{name}") do
      assert_kept(name) { |worker| cases.map { |workload, warm| faults(worker, workload, warm: warm) } }
    end
  end

  private

  def faults(worker, workload, **options) = Safety::FaultsCampaign.new(worker, workload, **options).call
end

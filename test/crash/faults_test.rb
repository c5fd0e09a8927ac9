# frozen_string_literal: true

require_relative "safety_case"
require_relative "traced_fork"

# Every system call of a transaction fails once with each of its errors, and the process is killed before each.
class FaultsTest < SafetyCase
  def setup
    super
    needs_strace
  end

  def test_a_store_that_is_right_passes
    assert_kept("reference") { |host| faults(host, "grow") }
  end

  def test_stock_yaml_is_torn_between_write_and_ftruncate
    with_subject("stock-0.3.0+yaml") { |host| assert_broken(faults(host, "shrink", only: /ftruncate/), :torn, :stuck) }
  end

  def test_stock_commits_what_it_said_failed
    with_subject("stock-0.3.0") { |host| assert_broken(faults(host, "first write", only: /write:error=EIO:when=1\z/), :committed) }
  end

  def test_stock_ultra_safe_leaves_its_file_for_ever
    with_subject("stock-0.3.0+ultra") { |host| assert_broken(faults(host, "grow", only: /rename:signal/), :leftovers, :kept) }
  end

  def test_stock_021_leaks_a_descriptor
    with_subject("stock-0.2.1") { |host| assert_broken(faults(host, "grow", only: /ENOLCK/), :leaked) }
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
      assert_kept(name) { |host| cases.map { |workload, warm| faults(host, workload, warm: warm) } }
    end
  end

  private

  def faults(host, workload, **options) = Safety::FaultsCampaign.new(host, workload, **options).call
end

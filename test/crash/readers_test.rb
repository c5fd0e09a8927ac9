# frozen_string_literal: true

require_relative "safety_case"

# Reads beside writes of the same subject and of stock: a store never returns outdated data from memory.
class ReadersTest < SafetyCase
  TIMES = 150

  def test_a_correct_store_passes
    assert_kept("reference") { |worker| with_subject("reference") { |writer| read(worker, writer) } }
  end

  def test_a_reader_that_checks_only_the_size_is_found
    with_subject("reference+sizeonly") do |worker|
      with_subject("reference") { |writer| assert_broken(read(worker, writer), :behind, :missing) }
    end
  end

  [%w[frugal-0.3.0 frugal-0.3.0], %w[frugal-0.3.0 stock-0.3.0], %w[frugal-0.3.0+ultra frugal-0.3.0+ultra],
   %w[frugal-0.2.1 stock-0.3.0+ultra], %w[stock-0.3.0 frugal-0.3.0],
   %w[frugal-0.3.0+pure stock-0.2.1]].each do |name, other|
    define_method("test_#{name}_reads_what_#{other}_writes") do
      assert_kept(name) { |worker| with_subject(other) { |writer| read(worker, writer) } }
    end
  end

  private

  def read(reader, writer) = Safety::ReadersCampaign.new(reader, writer, times: TIMES).call
end

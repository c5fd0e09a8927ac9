# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/rakes"

# Compares pathmap, ext and FileList under the drop-in to stock Rake, with random input.
class RakeNamesTest < Frugal::TestCase
  SCRIPT = File.join(__dir__, "rake_names_script.rb")
  SEED = Random.new_seed % 1_000_000

  [Rakes.all.first, Rakes.all.last].uniq.product(%w[c pure]).each do |rake, engine|
    define_method("test_names_are_as_with_stock_#{File.basename(rake)}_#{engine}") do
      stock = lines(rake)
      dropin = lines(rake, "-I", LIB, "-rrake", "-rfrugal/rake", env: { "FRUGAL_ENGINE" => engine })
      dropin.each_with_index { |line, i| assert_equal stock[i], line, "seed #{SEED}" }
    end
  end

  private

  def lines(rake, *options, env: {})
    result = run_command(RUBY, "-I", "#{rake}/lib", *options, SCRIPT, SEED.to_s, env: env, chdir: tree)
    assert result.success?, result
    result.out.lines.tap { |lines| assert_equal 2400, lines.size }
  end
end

# frozen_string_literal: true

require_relative "../test_helper"
require_relative "pstore_fuzz"

# A short run of the PStore drop-in's fuzzer; longer ones are run by hand.
class PStoreFuzzTest < Frugal::TestCase
  SEED = Random.new_seed % 1_000_000
  ENGINES = Frugal::Native.engine_name == :c ? %w[c pure] : %w[pure]

  %w[0.1.1 0.2.1 0.3.0].each do |version|
    define_method("test_no_difference_to_#{version}") do
      skip "bin/setup --pstores" unless File.directory?("#{ROOT}/tmp/pstores/gems/pstore-#{version}")
      status = nil
      out, = capture_io do
        status = PStoreFuzz::Campaign.new(seed: SEED, cases: 150, versions: [version], engines: ENGINES).call
      end
      assert_equal 0, status, out
      assert_match(/seed #{SEED}: #{150 * ENGINES.size} cases, 0 differences\n\z/, out)
    end
  end
end

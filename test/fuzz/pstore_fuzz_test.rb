# frozen_string_literal: true

# needs: pstores

require_relative "../test_helper"
require_relative "../support/fuzzers"

# A short run of the fuzzer of the PStore drop-in; run longer ones by hand.
class PStoreFuzzTest < Frugal::TestCase
  include Fuzzers

  ENGINES = Frugal::Native.engine_name == :c ? %w[c pure] : %w[pure]

  %w[0.1.1 0.2.1 0.3.0].each do |version|
    define_method("test_no_difference_to_#{version}") do
      skip "bin/setup --pstores" unless File.directory?("#{ROOT}/tmp/pstores/gems/pstore-#{version}")
      result = fuzz("pstore", "--cases", "150", "--versions", version, "--engines", ENGINES.join(","))
      assert result.success?, result
      assert_equal "seed #{SEED}\n#{150 * ENGINES.size} cases, 0 differences\n", result.out
    end
  end
end

# frozen_string_literal: true

# Runs a test in a process of its own. With GC.stress a collection follows each allocation, and marks what the process has
# loaded: all tests of the leg, or only this file.
#
#   alone def test_under_gc_stress
#     GC.stress = true
module Alone
  # @param name [Symbol] a test
  # @return [Symbol] its name
  def alone(name)
    return name if ENV["TEST_ALONE"] || RUBY_ENGINE == "jruby"

    file, = instance_method(name).source_location
    remove_method(name)
    define_method(name) do
      result = run_command(Subprocess::RUBY, "-w", file, "-v", "-n", name.to_s, env: { "TEST_ALONE" => "1" })
      assert_match(/^1 runs, \d+ assertions, 0 failures, 0 errors/, result.out, result)
      skip result.out[/^ *1\) Skipped:\n.*\n(.*)/, 1] unless result.out.include?(" 0 skips")
    end
  end
end

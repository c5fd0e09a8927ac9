# frozen_string_literal: true

# Runs a benchmark by `frugal bench`. The test class defines BENCH, the name of the benchmark.
module BenchCommand
  EXE = File.expand_path("../../exe/frugal", __dir__)

  # @return [Subprocess::Result]
  def bench(*arguments, env: {})
    run_command(Subprocess::RUBY, EXE, "bench", self.class::BENCH, *arguments,
                env: { "TMPDIR" => tree, "RUBYOPT" => nil, **env })
  end

  # Asserts the error messages of all benchmarks, and those of this one.
  #
  # @param messages [Hash{Array<String> => String}] arguments → part of the error message
  def assert_misuse(messages)
    { **messages, %w[--rounds 0] => "0: at least 1", %w[zebra] => "unexpected argument: zebra",
                  %w[--quick --save] => "cannot be combined with --quick",
                  ["--dir", path("missing")] => "missing: no such folder" }.each do |arguments, message|
      result = bench(*arguments)
      assert_equal 2, result.exitstatus, result
      assert_includes result.err, message
      assert_match(/^frugal: next: frugal bench #{self.class::BENCH} --help$/, result.err)
    end
  end
end

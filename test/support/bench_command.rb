# frozen_string_literal: true

# uses: jruby

# Runs a benchmark by `frugal bench`. The test class defines BENCH, the name of the benchmark.
module BenchCommand
  EXE = File.expand_path("../../exe/frugal", __dir__)

  # @param jruby [Boolean] also measures JRuby, whose start takes seconds
  # @return [Subprocess::Result]
  def bench(*arguments, jruby: false, env: {})
    java = jruby ? {} : { "JRUBY_JARS" => path("no JRuby") }
    run_command(Subprocess::RUBY, EXE, "bench", self.class::BENCH, *arguments,
                env: { "TMPDIR" => tree, "RUBYOPT" => nil, **java, **env })
  end

  # Asserts that one case has a row for JRuby, and one for frugal on JRuby.
  #
  # @return [String] the report
  def assert_jruby_rows(only)
    result = bench("--quick", "--rounds", "1", "--offline", "--only", only, jruby: true, env: { "FRUGAL_JVM" => "short" })
    assert result.success?, result
    skip "bin/setup --jruby" if result.out.include?("JRuby is not measured")
    labels = result.out.scan(/^\| (\S.*?) +\|/).flatten.grep(/jruby/i).uniq
    assert_equal 2, labels.size, labels
    assert_equal 1, labels.grep(/frugal/).size, labels
    result.out
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

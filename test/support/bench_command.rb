# frozen_string_literal: true

# `frugal bench`, of which a test says BENCH, the name of its benchmark.
module BenchCommand
  EXE = File.expand_path("../../exe/frugal", __dir__)

  # @return [Subprocess::Result]
  def bench(*arguments, env: {})
    run_command(Subprocess::RUBY, EXE, "bench", self.class::BENCH, *arguments, env: { "TMPDIR" => tree, "RUBYOPT" => nil, **env })
  end

  # Beside what each benchmark has to complain about.
  #
  # @param complaints [Hash{Array<String> => String}] arguments → what is said about them
  def assert_misuse(complaints)
    { **complaints, %w[--rounds 0] => "0: at least 1", %w[zebra] => "what is zebra?", %w[--quick --save] => "not with --quick",
      ["--dir", path("missing")] => "missing: no such folder" }.each do |arguments, message|
      result = bench(*arguments)
      assert_equal 2, result.exitstatus, result
      assert_includes result.err, message
      assert_match(/^frugal: next: frugal bench #{self.class::BENCH} --help$/, result.err)
    end
  end
end

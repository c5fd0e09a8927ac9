# frozen_string_literal: true

# Runs programs that count their own costs, in a process of its own: a process that has counted once keeps the recorder.
module CostProgram
  private

  # @param code [String] runs in the tree of the test, as `program.rb`
  # @param options [Array<String>] options of Ruby
  # @return [Subprocess::Result]
  def program(code, *options, **settings)
    write("program.rb", code)
    run_command(self.class::RUBY, "-w", *options, "-I", self.class::LIB, path("program.rb"), chdir: tree, **settings)
  end

  # @return [String] what the program printed; it has to succeed
  def output(code, *options)
    result = program(code, *options)
    assert result.success? && result.err.empty?, result
    result.out
  end

  def setup
    super
    library = "#{self.class::LIB}/frugal/native/#{Frugal::Platform::ABI}/recorder.so"
    skip "the recorder is not compiled" unless File.exist?(library)
  end
end

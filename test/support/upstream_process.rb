# frozen_string_literal: true

require_relative "caches"
require_relative "../../bench/support/marked_trace"

# Runs one version of ActiveSupport or Sprockets in a process, stock or with its
# drop-in, and counts system calls and exceptions between marks.
module UpstreamProcess
  HEAD = <<~RUBY
    def cost
      raised = []
      watch = TracePoint.new(:raise) { |point| raised << point.raised_exception.class.name }
      yield
      File.exist?("#{Frugal::Bench::MarkedTrace.mark("cost")}")
      watch.enable
      yield
      watch.disable
      File.exist?("#{Frugal::Bench::MarkedTrace.mark(Frugal::Bench::MarkedTrace::END_MARK)}")
      puts ["raised", *raised].join(" ")
    end
  RUBY

  # Makes Ruby evaluate compiled bytecode, as bootsnap does.
  BYTECODE = <<~'RUBY'
    def (RubyVM::InstructionSequence).load_iseq(file)
      RubyVM::InstructionSequence.load_from_binary(RubyVM::InstructionSequence.compile_file(file).to_binary)
    end
  RUBY

  # @param upstream [String] such as "activesupport-7.2.2.1"
  # @return [Subprocess::Result]
  def run_upstream(upstream, *argv, script, prefix: [], env: {}, **options)
    run_command(*prefix, Subprocess::RUBY, "-W0", *Caches.options(upstream), *argv, "-e", script,
                env: { "RUBYOPT" => nil, "RUBYLIB" => nil, **env }, chdir: tree, **options)
  end

  # The cost of each block that the script gives to `cost`, in its second run.
  #
  # @return [Array<Array(Array<String>, Array<String>)>] for each block, names of the calls and classes of the exceptions
  def costs_of(upstream, script)
    skip "counting system calls needs strace, which is not installed" unless Cost::Strace.available?

    trace = Frugal::Bench::MarkedTrace.new(path("strace.log"))
    result = run_upstream(upstream, HEAD + script, prefix: ["strace", "-f", *trace.options])
    assert result.success?, result
    raised = result.out.lines.grep(/\Araised/).map { |line| line.split.drop(1) }
    trace.segments.map(&:last).zip(raised)
  end
end

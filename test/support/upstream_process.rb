# frozen_string_literal: true

require_relative "caches"

# A process with one version of ActiveSupport or Sprockets, stock or with its
# drop-in, and what it costs: calls to the kernel and exceptions between marks.
module UpstreamProcess
  MARKS = ["/frugal begin", "/frugal end"].freeze
  HEAD = <<~'RUBY'
    def cost
      raised = []
      watch = TracePoint.new(:raise) { |point| raised << point.raised_exception.class.name }
      yield
      File.exist?("/frugal begin")
      watch.enable
      yield
      watch.disable
      File.exist?("/frugal end")
      puts "raised #{raised.join(" ")}"
    end
  RUBY

  # What bootsnap does: Ruby evaluates bytecode that another run compiled.
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

  # What the blocks given to +cost+ do, each at its second run.
  #
  # @return [Array<Array(Array<String>, Array<String>)>] for each, names of the calls and classes of the exceptions
  def costs_of(upstream, script)
    skip "system calls are counted with strace, which is not here" unless Cost::Strace.available?

    log = path("strace.log")
    result = run_upstream(upstream, HEAD + script, prefix: ["strace", "-f", "-e", Cost::FILTER, "-e", "signal=none", "-o", log])
    assert result.success?, result
    raised = result.out.lines.grep(/\Araised/).map { |line| line.split.drop(1) }
    calls = File.readlines(log).slice_before { |line| line.include?(%("#{MARKS[0]}")) }.drop(1).map do |lines|
      lines.drop(1).take_while { |line| !line.include?(%("#{MARKS[1]}")) }.filter_map { |line| call_name(line) }
    end
    calls.zip(raised)
  end

  private

  def call_name(line)
    name = line[/\A\d+\s+(\w+)\(/, 1]&.sub(/\Anewf/, "f") or return
    case name
    when "fstatat", "statx" then line.include?("AT_EMPTY_PATH") ? "fstat" : "stat"
    when "openat" then "open"
    else name.delete_suffix("64")
    end
  end
end

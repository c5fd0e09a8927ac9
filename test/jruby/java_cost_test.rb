# frozen_string_literal: true

require_relative "../test_helper"
require_relative "jruby_case"

# Counts the system calls and the exceptions of the Java engine's probes, those of a PStore, of entries and of the file
# server, in one JVM under strace.
class JavaCostTest < JRubyCase
  MISS = { "mtime" => "stat", "size" => "stat", "stat" => "stat", "exist" => "stat", "type" => "lstat",
           "readlink" => "readlink", "entries" => "open", "children" => "open", "read" => "open" }.freeze
  COSTS = {
    **MISS.slice("mtime", "size", "stat", "exist", "type", "readlink").transform_values { |call| [call] },
    "entries" => %w[open getdents getdents close], "children" => %w[open getdents getdents close],
    "read" => %w[open fstat read close], "binread" => %w[open fstat read close],
    "store read" => %w[stat], "store read by another object" => %w[stat],
    "store unchanged" => %w[flock stat flock], "store changed" => %w[flock stat pwrite fstat flock],
    "entry read" => %w[open pread close], "entry missing" => %w[open],
    "entry update" => %w[open flock fstat pread pwrite close], "session unchanged" => %w[open fcntl fstat pread close],
    "session changed" => %w[open fcntl fstat pread flock pread pwrite close],
    "beneath" => %w[lstat open fstat pread close], "beneath missing" => %w[lstat],
    "mtimes" => ["stat"] * 100, "stats" => ["stat"] * 100,
    **%w[none file/below].product(MISS.to_a).to_h { |path, (name, call)| ["#{path} #{name}", [call]] }
  }.freeze

  def setup
    super
    skip_where_times_are_not_trusted
  end

  def test_calls_and_exceptions
    skip "strace is not installed" unless Cost::Strace.available?

    write("tree/file", "text")
    symlink("nowhere", "tree/link")
    raised = trace
    made = calls
    COSTS.each { |name, expected| assert_equal expected, made[name], name }
    assert_includes made["relative"], "stat"
    assert_equal COSTS.keys.sort, (raised.keys - ["relative"]).sort
    assert_equal [%w[0 0]], raised.values.uniq, raised
  end

  private

  def calls
    trace = Frugal::Bench::MarkedTrace.new(path("trace"), separate_lstat: true)
    trace.segments.group_by(&:first).transform_values { |all| all.map(&:last).min_by(&:size) }
  end

  # @return [Hash{String => Array(String, String)}] exceptions of Ruby and of Java in 100 questions
  def trace
    marked = Frugal::Bench::MarkedTrace.new(path("trace"))
    result = run_command("strace", "-f", *marked.options, JRUBY, NO_CGROUPS, "-J-Xlog:exceptions=info:file=#{path("log")}",
                         "-I", LIB, "#{__dir__}/costs.rb", path("tree"), path("log"), env: environment)
    assert result.success?, result
    result.out.lines(chomp: true).to_h { |line| line.split("\t").then { |name, *counts| [name, counts] } }
  end
end

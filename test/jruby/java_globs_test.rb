# frozen_string_literal: true

require_relative "../test_helper"
require_relative "jruby_case"

# The drop-in of Dir under JRuby, compared with JRuby's own methods in one process: results and errors of random patterns on
# random trees, backtraces, stubs, and the system calls.
class JavaGlobsTest < JRubyCase
  LISTING = %w[open getdents getdents close].freeze
  # Of a tree of three directories. Braces need one walk. With one level, JRuby asks whether the folder is one.
  COSTS = { "glob" => LISTING * 3, "glob with braces" => LISTING * 3, "glob with a base" => LISTING * 3,
            "glob on one level" => %w[stat] }.freeze
  SEED = 16

  def test_results_errors_and_calls
    skip "strace is not installed" unless Cost::Strace.available?

    %w[a/1.c a/2.h b/y.c].each { |name| write("tree/#{name}") }
    trace = Frugal::Bench::MarkedTrace.new(path("trace"), separate_lstat: true)
    File.chmod(0o777, tree)
    result = run_command(*unprivileged, "strace", "-f", "--seccomp-bpf", *trace.options, JRUBY, "-W0", NO_CGROUPS, "-I", LIB,
                         "#{__dir__}/globs.rb", path("tree"), SEED.to_s, env: environment("HOME" => tree, "TMPDIR" => tree))
    assert_match(/\A4\d\d patterns, \d{2,} answered by a walk\ndone\n\z/, result.out, result)
    calls = trace.segments.group_by(&:first).transform_values { |all| all.map(&:last).min_by(&:size).tally }
    assert_equal COSTS.transform_values(&:tally), calls
  end

  private

  # Root may read each directory, and JRuby cannot change its user.
  def unprivileged = Process.uid.zero? ? %w[setpriv --reuid=65534 --clear-groups] : []
end

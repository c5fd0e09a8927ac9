# frozen_string_literal: true

require_relative "../test_helper"
require_relative "jruby_case"

# The drop-ins of Dir and Find under JRuby, compared with JRuby's own methods in one process: results and errors of random
# patterns and blocks on random trees, backtraces and stubs. java_walk_test.rb counts their system calls.
class JavaGlobsTest < JRubyCase
  SEED = 16

  def test_results_and_errors
    %w[a/1.c a/2.h b/y.c].each { |name| write("tree/#{name}") }
    File.chmod(0o777, tree)
    result = run_command(*unprivileged, JRUBY, "-W0", "-I", LIB, "#{__dir__}/globs.rb", path("tree"), SEED.to_s,
                         env: environment("HOME" => tree, "TMPDIR" => tree))
    assert_match(/\A4\d\d patterns, \d{2,} answered by a walk\ndone\n\z/, result.out, result)
  end

  private

  # Root may read each directory, and JRuby cannot change its user. In a checkout that only root may read, it stays root.
  def unprivileged
    nobody = %w[setpriv --reuid=65534 --clear-groups]
    Process.uid.zero? && system(*nobody, "test", "-r", File.join(LIB, "frugal/native.jar"), err: File::NULL) ? nobody : []
  end
end

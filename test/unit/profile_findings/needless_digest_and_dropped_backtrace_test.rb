# frozen_string_literal: true

require_relative "../../test_helper"
require_relative "../../support/profile_case"

class NeedlessDigestAndDroppedBacktraceTest < Frugal::TestCase
  include ProfileCase

  def test_digests
    found = finding { digests(10) }
    assert_equal [:needless_digest, 9, 9.0], [found.kind, found.count, found.saved_us]
    assert_empty(findings { digests(10) { |i| line(9) && write_file("log#{i}", "x") } })
    assert_empty(findings { digests(10, waits: true) })
    assert_equal :pstore, finding { digests(10, file: "/usr/lib/ruby/3.1.0/pstore.rb") }.drop_in
  end

  def test_backtraces
    found = finding { backtraces(10, bytes: 300) }
    assert_equal [:dropped_backtrace, 10], [found.kind, found.count]
    assert_equal :likely, found.proof
    assert_empty(findings { backtraces(10, bytes: 1000) })
  end
end

# frozen_string_literal: true

require_relative "../../test_helper"
require_relative "../../support/profile_case"

class UnlinkAfterRenameTest < Frugal::TestCase
  include ProfileCase

  def test_an_unlink_after_a_rename_counts_its_exception
    found = finding { 10.times { |i| file("t#{i}") && line(4) && rename("t#{i}", "f#{i}") && line(5) && unlink("t#{i}") && raised } }
    assert_equal [:unlink_after_rename, 5, 10, 1.0], [found.kind, found.line, found.count, found.fail_rate]
    assert_in_delta 10 * (1.0 + 1.0 + 4.0), found.saved_us
    assert_equal "10 of 10 unlinks fail, because the file had been renamed; 10 exceptions for it", found.message
  end

  def test_an_unlink_of_what_another_process_renamed
    assert_equal(10, count(:unlink_after_rename) do
      10.times { |i| file("t#{i}") && process(200) { line(4) && rename("t#{i}", "f#{i}") } && line(5) && unlink("t#{i}") }
    end)
  end
end

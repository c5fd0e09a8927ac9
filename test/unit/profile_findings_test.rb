# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/profile_case"

# What holds for findings of every kind; the edges of each are in profile_findings/.
class ProfileFindingsTest < Frugal::TestCase
  include ProfileCase

  def test_findings_are_sorted_by_what_they_save
    found = findings do
      file "f"
      line 3, "mtime"
      20.times { stat "f" }
      line 4
      20.times { |i| open("f#{i}") || raised(depth: 110) }
    end
    assert_equal %i[rescued_error redundant_call], found.map(&:kind)
    assert_equal found.map(&:saved_us).sort.reverse, found.map(&:saved_us)
  end

  def test_an_empty_recording
    assert_empty(findings { nil })
  end

  def test_odd_events_do_no_harm
    found = findings do
      line 3
      call :open, nil
      call :read, nil, descriptor: 99
      call :close, "x", descriptor: 99
      call :rename, "x"
      call :stat, "/", result: 1
      call :stat, "/w/\xFF\xFE".b, result: 1
      call :fork, bytes: 0, error: "EAGAIN"
      call :unheard_of, "x"
      raised error: nil, class_name: "KeyError"
    end
    assert_empty found
  end
end

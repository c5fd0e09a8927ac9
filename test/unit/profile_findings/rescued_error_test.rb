# frozen_string_literal: true

require_relative "../../test_helper"
require_relative "../../support/profile_case"

class RescuedErrorTest < Frugal::TestCase
  include ProfileCase

  def test_rescued_errors_name_who_rescues
    program = write("cache.rb", "def fetch(path)\n  File.open(path)\nrescue Errno::ENOENT\n  nil\nend\n")
    found = finding { 20.times { |i| line(2, "initialize", file: program) && open("f#{i}") && nil || raised(depth: 60) } }
    assert_equal [:rescued_error, "#{program}:2", 20, 1.0], [found.kind, found.place, found.count, found.fail_rate]
    assert_in_delta 20 * 9.0, found.saved_us
    assert_equal "20 exceptions (Errno::ENOENT) after openat, 60 frames deep, rescued at #{program}:3; 100 % of the calls fail",
                 found.message
    assert_equal :proven, found.proof
    assert_equal "Use Frugal.read(path), which returns nil for a miss without an exception.", found.fix
  end

  def test_rare_errors_are_what_exceptions_are_for
    assert_equal [39, nil], [rescued(failing: 40, of: 100)&.count, rescued(failing: 30, of: 100)]
  end

  # Where no rescue is found, the last exception may have ended the thread.
  def test_few_exceptions
    found = rescued(failing: 3, of: 3)
    assert_equal [2, :likely], [found.count, found.proof]
    assert_nil rescued(failing: 1, of: 1)
  end

  def test_an_exception_is_linked_to_the_failure_of_its_thread_and_errno
    found = findings do
      20.times do |i|
        line 4
        open "f#{i}"
        thread(2) { line(5) && raised(error: "ENOENT") }
        raised(error: "EACCES")
      end
    end
    assert_empty found
  end

  def test_raised_again_is_no_second_failure
    found = finding do
      20.times do |i|
        line 4
        open "f#{i}"
        raised
        line 9
        raised
      end
    end
    assert_equal [19, 4], [found.count, found.line], "nobody is known to rescue it, so the last may have ended the thread"
  end

  def test_an_error_that_ends_each_process_is_no_waste
    assert_empty(findings { 20.times { |i| process(200 + i) { line(4) && open("f#{i}") && nil || raised } } })
  end

  private

  def rescued(failing:, of:)
    findings do
      line 4
      of.times do |i|
        file "f#{i}" if i >= failing
        open("f#{i}") ? nil : raised
      end
    end.first
  end
end

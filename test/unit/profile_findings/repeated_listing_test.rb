# frozen_string_literal: true

require_relative "../../test_helper"
require_relative "../../support/profile_case"

class RepeatedListingTest < Frugal::TestCase
  include ProfileCase

  def test_a_folder_is_listed_again
    found = finding { listings(5) }
    assert_equal [:repeated_listing, "/app/a.rb:4", 8 * 3, :proven], [found.kind, found.place, found.count, found.proof]
    assert_equal "8 of 10 listings repeat one of the same folder (2 folders, 24 calls): nothing had changed, and the thread had not waited",
                 found.message
    assert_equal "List each folder once, and keep the names.", found.fix
  end

  def test_a_change_needs_another_listing
    changes = { "a new file" => -> { write_file "d/new#{@time}", "x" }, "a removed one" => -> { file("d/x") && unlink("d/x") },
                "a new name" => -> { file("d/y") && rename("d/y", "d/z") }, "a moved folder" => -> { rename("d", "m") && rename("m", "d") } }
    changes.each { |name, change| assert_equal 0, count(:repeated_listing) { listings(2, %w[d]) { instance_exec(&change) } }, name }
    assert_equal(3, count(:repeated_listing) { listings(2, %w[d]) { write_file "elsewhere", "x" } })
  end

  def test_names_that_the_recorder_does_not_compare
    found = finding { nameless && listings(5) }
    assert_equal [8 * 3, "the names were the same, which this recorder does not compare"], [found.count, found.assumption]
    assert_match(/names were the same.*, and the thread has not waited/, finding(waits: false) { nameless && listings(2) }.assumption)
  end

  # No recorded call has changed the folder, and the thread has not waited; but another program was there.
  def test_other_names
    assert_equal(0, count(:repeated_listing) { listings(5, %w[d]) { file "d/new#{@time}" } })
    assert_empty(findings { listings(5, %w[d]) { wait && file("d/new#{@time}") } })
  end

  def test_after_a_wait_it_is_a_freshness_check
    found = finding { listings(5) { wait } }
    assert_equal [:freshness_check, 8], [found.kind, found.count]
    assert_equal "8 checks (opendir) found nothing changed, in 4 rounds after a wait: 2 checks a round", found.message
  end

  def test_other_threads_and_what_is_not_a_folder
    assert_empty(findings { directory("d") && line(4) && list("d") && thread(2) { line(4) && list("d") } })
    assert_equal(0, count(:repeated_listing) { file("f") && line(4, "read") && 2.times { read_file "f" } })
  end

  # What a walk repeats is not counted twice.
  def test_a_walk_that_is_made_again
    found = findings { 2.times { walk(30) } }
    assert_equal({ repeated_listing: 90, serial_walk: 0 }, found.to_h { |one| [one.kind, one.count] })
  end

  def test_the_drop_in
    found = finding { listings(2, file: "/gems/activesupport-7.2.4/lib/active_support/file_update_checker.rb", label: "updated?") }
    assert_equal :file_update_checker, found.drop_in
  end
end

# Lists each folder so many times, and calls the block after each round.
class RecordingBuilder
  def listings(times, names = %w[d e], **place)
    names.each { |name| directory name }
    times.times do
      line(4, "children", **place)
      names.each { |name| list name }
      line(8)
      yield if block_given?
    end
  end
end

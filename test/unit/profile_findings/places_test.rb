# frozen_string_literal: true

require_relative "../../test_helper"
require_relative "../../support/profile_case"

# Which line a finding names: the innermost one of the program that caused the calls.
class PlacesOfFindingsTest < Frugal::TestCase
  include ProfileCase

  LIBRARY = "/gems/store-1.0/lib/store.rb"
  APP = ["/app/a.rb", 12, "run"].freeze
  REQUIRE = ["<internal:/usr/lib/ruby/vendor_ruby/rubygems/core_ext/kernel_require.rb>", 85, "require"].freeze

  def test_a_line_of_the_program_calls_a_library
    assert_path ["/app/a.rb:12", "#{LIBRARY}:7"], APP
    assert_path ["/app/a.rb:12", "#{LIBRARY}:3", "/usr/lib/ruby/3.1.0/find.rb:53"], [LIBRARY, 3, "each"], APP,
                file: "/usr/lib/ruby/3.1.0/find.rb", number: 53
  end

  # The line of the program calls a framework, which does much: it is an entrance, and not the cause.
  def test_through_a_framework
    outer = ["/gems/frame-1.0/lib/x.rb", 3, "each"]
    assert_path ["#{LIBRARY}:7"], outer, APP
    found = found { at(outer, APP) }
    assert_equal ["/app/a.rb:12"], found.callers.map(&:to_s)
    assert_equal "In store 1.0: Keep the answer, or ask once with File.stat, which has type, size and times.", found.fix
    assert_empty found { at(APP) }.callers
  end

  def test_where_the_answer_was_known
    assert_nil found { at(APP) }.known_from
    found = finding do
      file "a"
      line(3) && stat("a")
      line(9) && stat("a")
    end
    assert_equal ["/app/a.rb:9", "/app/a.rb:3"], [found.place, found.known_from.to_s]
  end

  def test_each_line_of_the_program_has_a_finding
    found = findings do
      file "a"
      [12, 13].each { |number| 3.times { at(["/app/a.rb", number, "run"]) && stat("a") } }
    end
    assert_equal %w[/app/a.rb:13 /app/a.rb:12], found.sort_by { |finding| -finding.count }.map(&:place)
    assert_equal [3, 2], found.map(&:count).sort.reverse
  end

  # What a file asks while it is loaded belongs to the file: the line that happens to require it first cannot help it.
  def test_a_library_that_is_being_loaded
    assert_path ["#{LIBRARY}:7"], REQUIRE, APP
    assert_path ["#{LIBRARY}:7"], [nil, nil, "require"], APP
    assert_path ["#{LIBRARY}:7"], [nil, nil, "load"], APP
  end

  def test_a_loader
    assert_path ["/usr/lib/ruby/vendor_ruby/rubygems/specification.rb:9"], APP, file: "/usr/lib/ruby/vendor_ruby/rubygems/specification.rb", number: 9
    assert_path ["#{LIBRARY}:7"], ["/gems/bundler-2.3.7/lib/bundler/runtime.rb", 60, "require"], APP
  end

  # The gem that calls Ruby's own libraries is named, and not they.
  def test_no_line_of_the_program
    find = "/usr/lib/ruby/3.1.0/find.rb"
    assert_path ["#{LIBRARY}:9", "#{find}:40", "#{find}:53"], [find, 40, "each"], [LIBRARY, 9, "x"], ["/gems/other-1.0/lib/x.rb", 3, "each"],
                file: find, number: 53, main: false
    assert_path ["#{find}:53"], [find, 40, "each"], REQUIRE, [LIBRARY, 9, "x"], file: find, number: 53, main: false
    assert_path ["#{LIBRARY}:7"], ["/usr/bin/store", 25, "<main>"], main: false
  end

  # A text that is evaluated may be a gem's.
  def test_eval
    assert_path ["/app/a.rb:12", "(eval):1"], APP, file: "(eval)", number: 1
  end

  def test_who_can_make_the_change
    fix = "Keep the answer, or ask once with File.stat, which has type, size and times."
    assert_equal "In store 1.0: #{fix} Or call it less often here.", found { at(APP) }.fix
    assert_equal "In store 1.0: #{fix}", found { at(REQUIRE, APP) }.fix
    find = { file: "/usr/lib/ruby/3.1.0/find.rb" }
    assert_equal fix, found { at(APP, **find) }.fix, "no fix is for Ruby's own libraries"
    assert_equal "In store 1.0: #{fix}", found { at([LIBRARY, 3, "x"], main: false, **find) }.fix
    assert_equal fix, found { at(file: "/app/b.rb") }.fix
  end

  private

  def found(&place)
    finding do
      file "a"
      instance_eval(&place)
      2.times { stat "a" }
    end
  end

  def assert_path(expected, *outer, file: LIBRARY, number: 7, **options)
    assert_equal expected, found { at(*outer, file: file, number: number, **options) }.path.map(&:to_s)
  end
end

class RecordingBuilder
  # The calls that follow are made by a library, called by the program's main file or not.
  def at(*outer, file: PlacesOfFindingsTest::LIBRARY, number: 7, main: true)
    return line(number, "exist?", file: file, outer: outer) if main

    @stack = stack([[nil, nil, "exist?"], [file, number, "run"], *outer])
  end
end

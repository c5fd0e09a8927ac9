# frozen_string_literal: true

require_relative "../../test_helper"
require_relative "../../support/profile_case"

class LoadPathMissesTest < Frugal::TestCase
  include ProfileCase

  BUNDLER = "/gems/bundler-2.3/lib/bundler.rb"
  BOOTSNAP = "/gems/bootsnap-1.18/lib/bootsnap.rb"
  KERNEL = ["<internal:/x/rubygems/core_ext/kernel_require.rb>", 85, "require"].freeze

  def test_the_searches_of_a_program_are_one_finding
    found = finding do
      500.times { |i| required(i % 3, 3) }
      process(200) { required(1, 1) }
      required(1, 0)
    end
    assert_equal [:load_path_misses, 1501, 3], [found.kind, found.count, found.lines]
    assert_in_delta 1501 / 2003.0, found.fail_rate
    assert_equal "Add the gem bootsnap, or require by path: require_relative searches no folder.", found.fix
    assert_equal "1,501 of 2,003 questions of require miss, in 3 folders", found.message
  end

  def test_with_bundler_and_with_bootsnap
    found = finding { required(1, 2, BUNDLER) && required(2, 2, file: "/gems/x-1.0/lib/x.rb") }
    assert_equal [4, "Add the gem bootsnap, which knows from an index of the load path where each file is."], [found.count, found.fix]
    assert_empty(findings { required(1, 2, BUNDLER) && required(1, 2, BOOTSNAP) && required(2, 2) })
  end

  # Without Bundler, and if no line of the program requires anything, nobody can act.
  def test_commands_of_gems
    assert_empty(findings { required(1, 2, file: "/gems/x-1.0/lib/x.rb") })
    assert_equal(4, count(:load_path_misses) { required(1, 2, file: "/gems/x-1.0/lib/x.rb") && required(1, 2) })
    loader = "/usr/lib/ruby/vendor_ruby/rubygems/resolver.rb"
    assert_equal(2, count(:load_path_misses) { required(1, 2) && required(1, 2, file: loader) })
  end

  # RubyGems searches all gems for a file that another version of it has; Bundler requires the file.
  def test_what_is_in_no_folder
    bundler = "/gems/bundler-2.3/lib/bundler/x.rb"
    found = finding do
      line 9, "file?", file: "/usr/lib/ruby/vendor_ruby/rubygems/specification.rb", label: "each", outer: [KERNEL, [bundler, 1, "y"]]
      9.times { |i| stat "gems/#{i}/uri.rb" }
      line nil, "require", file: nil, outer: [KERNEL, [bundler, 1, "y"]]
      open "lib/other.rb"
      raised class_name: "LoadError", error: nil
    end
    assert_equal ["#{bundler}:1", 10, nil], [found.place, found.count, found.lines]
    assert_equal "require asks 10 times for what is in no folder (uri.rb)", found.message
    assert_equal "In bundler 2.3: Require it only where it is expected: ask for its gem or for a version first.", found.fix
  end

  # Ruby looks for stringio.rb in all folders before it knows that stringio.so is loaded.
  def test_what_was_loaded_before
    found = finding do
      line nil, "require", file: nil, outer: [KERNEL, ["/app/boot.rb", 1, "<main>"]]
      9.times { |i| open "lib/#{i}/stringio.rb" }
    end
    assert_equal [9, 1], [found.count, found.lines]
  end

  def test_what_a_required_file_does_itself_is_not_requires
    assert_equal(0, count(:load_path_misses) do
      1500.times { |i| line(3, "exist?", outer: [[nil, nil, "require"], ["/app/boot.rb", 1, "<main>"]]) && stat("f#{i}") }
    end)
    assert_equal(0, count(:load_path_misses) do
      1500.times { |i| line(3, "open", label: "load") && open("f#{i}") }
    end)
  end
end

class RecordingBuilder
  # A line requires a file that is found after so many misses.
  def required(number, misses, found = "lib/found.rb", file: "/app/boot.rb")
    kernel = LoadPathMissesTest::KERNEL
    line nil, "require", file: nil, outer: [kernel, [file, number, "<top (required)>"], kernel]
    misses.times { |i| open "lib#{i}/found.rb" }
    file found
    open found
  end
end

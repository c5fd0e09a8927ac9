# frozen_string_literal: true

require_relative "../../test_helper"
require_relative "../../support/profile_case"

class LoadPathMissesTest < Frugal::TestCase
  include ProfileCase

  def test_load_path_misses_are_one_finding_for_a_program
    found = finding do
      1500.times do |i|
        line nil, "require", file: nil, outer: [["<internal:/x/rubygems/core_ext/kernel_require.rb>", 85, "require"],
                                                ["/gems/bundler-2.3/lib/bundler/x.rb", 1, "y"], ["/app/boot.rb", i % 3, "<main>"]]
        open "lib/#{i}.rb"
      end
      process(200) { line(nil, "require", file: nil, outer: [["/app/boot.rb", 1, "<main>"]]) && open("lib/x.rb") }
      file "found"
      line nil, "load", file: nil, outer: [["/app/boot.rb", 1, "<main>"]]
      open "found"
    end
    assert_equal [:load_path_misses, 1501, 1, 3], [found.kind, found.count, found.line, found.lines]
    assert_in_delta 1501 / 1502.0, found.fail_rate
    assert_includes found.fix, "bootsnap"
    assert_equal "1,501 of 1,502 questions of require miss", found.message
  end

  def test_bootsnap_is_not_advised_where_it_is_on
    found = finding do
      line nil, "require", file: nil, outer: [["/app/boot.rb", 1, "<main>"]]
      file "/gems/bootsnap-1.18/lib/bootsnap.rb"
      %w[missing.rb /gems/bootsnap-1.18/lib/bootsnap.rb other.rb].each { |name| open name }
    end
    assert_equal [2, "bootsnap is on: these files are required before it, or are not in its index."], [found.count, found.fix]
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

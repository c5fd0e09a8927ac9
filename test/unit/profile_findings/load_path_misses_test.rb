# frozen_string_literal: true

require_relative "../../test_helper"
require_relative "../../support/profile_case"

class LoadPathMissesTest < Frugal::TestCase
  include ProfileCase

  def test_load_path_misses_are_one_finding_for_a_program
    found = finding do
      1500.times do |i|
        line nil, "require", file: nil, outer: [["<internal:/x/rubygems/core_ext/kernel_require.rb>", 85, "require"],
                                                ["/app/boot.rb", i % 3, "<main>"]]
        open "lib/#{i}.rb"
      end
      process(200) { line(nil, "require", file: nil, outer: [["/app/boot.rb", 1, "<main>"]]) && open("lib/x.rb") }
      file "found"
      line nil, "load", file: nil, outer: [["/app/boot.rb", 1, "<main>"]]
      open "found"
    end
    assert_equal [:load_path_misses, 1501, 1, 3], [found.kind, found.count, found.line, found.lines]
    assert_in_delta 1501 / 1502.0, found.fail_rate
    assert_equal "Require by path what is near (require_relative): then no folder is searched.", found.fix
    assert_equal "1,501 of 1,502 questions of require miss, most at /app/boot.rb:1: 1 for 1.rb", found.message
  end

  # RubyGems searches all gems for a file that another version of it has; Bundler requires the file.
  def test_what_loaders_require
    bundler = "/gems/bundler-2.3/lib/bundler/x.rb"
    found = findings do
      file bundler
      line nil, "require", file: nil, outer: [["/app/boot.rb", 1, "<main>"]]
      ["missing.rb", "/gems/bundler-2.3/lib/bundler.rb"].each { |name| file(name) unless name == "missing.rb"; open name }
      line 9, "file?", file: "/usr/lib/ruby/vendor_ruby/rubygems/specification.rb", label: "each",
                       outer: [["<internal:/x/rubygems/core_ext/kernel_require.rb>", 85, "require"],
                               [bundler, 1, "y"], ["/app/boot.rb", 2, "<main>"]]
      9.times { stat "gems/uri.rb" }
    end
    loaders, own = found.sort_by { |one| -one.count }
    assert_equal [9, "#{bundler}:1", "In bundler 2.3: Require by path what is near (require_relative): then no folder is searched."],
                 [loaders.count, loaders.place, loaders.fix]
    assert_equal "9 of 9 questions of require miss, most at bundler 2.3: bundler/x.rb:1: 9 for uri.rb", loaders.message
    assert_equal [1, "/app/boot.rb:1"], [own.count, own.place]
    assert_includes own.fix, "bootsnap"
  end

  def test_bootsnap_is_not_advised_where_it_is_on
    found = finding do
      line nil, "require", file: nil, outer: [["/app/boot.rb", 1, "<main>"]]
      file "/gems/bootsnap-1.18/lib/bootsnap.rb"
      %w[missing.rb /gems/bootsnap-1.18/lib/bootsnap.rb other.rb].each { |name| open name }
    end
    assert_equal [2, "bootsnap is on: require these files after it, by path, or not at all if they are nowhere."], [found.count, found.fix]
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

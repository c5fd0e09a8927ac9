# frozen_string_literal: true

require_relative "../../test_helper"
require_relative "../../support/profile_case"

class SerialWalkTest < Frugal::TestCase
  include ProfileCase

  def test_a_walk
    found = finding do
      directory "t"
      300.times do |i|
        directory "t/#{i}"
        line 4, "children"
        list "t" if i.zero?
        line 5, "lstat"
        lstat "t/#{i}"
        line 4, "children"
        list "t/#{i}"
      end
    end
    assert_equal [:serial_walk, 4, 300], [found.kind, found.line, found.count]
    assert_equal "one thread lists 301 directories, one after the other, and asks 300 times for the type of an entry", found.message
    assert_nil found.drop_in
    assert_equal "only the types of the entries are needed, and other processors are free while it lists", found.assumption
  end

  # What is asked again has nothing to do with the walk.
  def test_a_walk_asks_once_for_a_type
    found = findings do
      walk(250)
      line 4, "exist?"
      3.times { 250.times { |i| stat "t/#{i}" } }
    end
    counts = found.to_h { |one| [one.kind, one.count] }
    assert_equal 500, counts.fetch(:redundant_call)
    assert_equal counts.fetch(:serial_walk), finding { walk(250) }.count + 250
  end

  # Its size decides how much it saves, and not whether it is a walk.
  def test_a_walk_that_asks_for_no_type_is_as_serial_as_there_are_processors
    small, large = [3, 250].map { |size| finding { walk(size) } }
    assert_equal [[:likely, 0.0]] * 2, [small, large].map { |found| [found.proof, found.saved_range_us.first] }
    assert_operator small.saved_us, :<, large.saved_us / 50
  end

  def test_drop_ins_of_walks
    files = { "/usr/lib/ruby/3.1.0/find.rb" => :find, "/app/find.rb" => nil }
    files.each { |file, name| assert_equal [name], [finding { walk(250, file: file) }.drop_in], file }
    assert_equal :dir, finding { walk(250, inner: "glob") }.drop_in
  end

  def test_the_drop_in_of_fileutils_says_which_methods_it_answers
    methods = { "FileUtils.remove_entry" => :fileutils, "block in remove_entry" => :fileutils, "remove_entry_secure" => nil,
                "mv" => nil, "copy_entry" => nil }
    methods.each do |label, name|
      found = finding { walk(250, file: "/gems/fileutils-1.7.0/lib/fileutils.rb", label: label) }
      assert_equal [name], [found.drop_in], label
    end
  end
end

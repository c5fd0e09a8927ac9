# frozen_string_literal: true

require_relative "../../test_helper"
require_relative "../../support/profile_case"

# Which drop-in a finding names. Each kind's own test has its drop-ins.
class DropInsOfFindingsTest < Frugal::TestCase
  include ProfileCase

  RAKE = "/gems/rake-13.0.6/lib/rake/file_task.rb"

  def test_none_is_named_where_it_is_on
    assert_equal :rake, finding { repeated }.drop_in
    %w[autorun/start.rb rake.rb].map { |name| "#{LIB}/frugal/#{name}" }.each do |file|
      found = finding { started(file) && repeated }
      assert_nil found.drop_in, file
      refute_includes found.fix, "frugal run"
    end
    assert_equal :rake, finding { started("#{LIB}/frugal/find.rb") && repeated }.drop_in
    assert_equal :rake, finding { started("/caf\u00E9/frugal/rake.rb") && repeated }.drop_in, "a file of the program"
    found = findings { line(9, "require") && open("#{LIB}/frugal/rake.rb"); repeated }
    assert_equal [:rake], found.filter_map(&:drop_in), "it was not there"
  end

  def test_nor_for_glob
    assert_equal :dir, finding { walk(9, inner: "glob") }.drop_in
    assert_nil finding { started("#{LIB}/frugal/autorun/start.rb") && walk(9, inner: "glob") }.drop_in
  end
end

class RecordingBuilder
  def started(path)
    file path
    outside_ruby
    close(open(path)) || true
  end

  def repeated
    file "a"
    line(22, "mtime", file: DropInsOfFindingsTest::RAKE, label: "needed?")
    3.times { stat "a" }
  end
end

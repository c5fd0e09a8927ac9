# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/c_sources"

# The layout of ext/frugal: which file includes and calls which, and how functions are named.
# circles_test.rb tests that no two files need each other.
class IncludesTest < Frugal::TestCase
  EXTENSION = File.join(ROOT, "ext/frugal")

  # An include line has the path from ext/frugal, so it shows the folder.
  def test_a_file_includes_its_own_folder_and_the_public_header_of_others
    assert_empty(each_header.reject { |file, header| sources.files.include?(header) && may_include?(file, header) })
  end

  def test_core_includes_neither_ruby_nor_the_bindings
    core = sources.files.grep(%r{\Acore/})
    refute_empty core
    assert_empty core.flat_map { |file| sources.includes(file) }.grep(/ruby/)
    assert_empty core.flat_map { |file| sources.headers(file) }.grep_v(%r{\Acore/})
  end

  # core/system/grow.h has what grows lists.
  def test_core_resizes_memory_in_one_place
    core = sources.files.grep(%r{\Acore/})
    assert_equal %w[core/system/grow.h], core.select { |file| sources.code(file).match?(/\brealloc\(/) }
  end

  # mkmf compiles all files into one folder.
  def test_c_files_have_distinct_names
    assert_empty sources.c_files.group_by { |file| File.basename(file) }.select { |_, files| files.size > 1 }
  end

  def test_external_functions_begin_with_the_name_of_their_folder
    assert_operator sources.functions.size, :>, 200
    wrong = sources.functions.reject { |name, file| name.match?(/\Afrugal_#{File.basename(sources.unit(file))}(_|\z)/) }
    assert_equal({ "Init_frugal" => "frugal.c" }, wrong)
  end

  def test_the_reading_order_names_each_folder_and_file
    order = File.read(File.join(EXTENSION, "frugal.c"))[%r{\A/\*.*?\*/}m].scan(/^ \*   (\S+)/).flatten
    assert_equal (sources.units.map { |unit| line_for(unit) } - %w[frugal.c]).sort, order.sort
  end

  private

  def sources = @sources ||= CSources.new(EXTENSION)

  def may_include?(file, header)
    unit = sources.unit(header)
    unit == sources.unit(file) || header == sources.public_header(unit)
  end

  # How the reading order names a unit: a folder, a .c file, or a header without one.
  def line_for(unit)
    return "#{unit}/" if sources.folder?(unit)

    sources.files.include?("#{unit}.c") ? "#{unit}.c" : "#{unit}.h"
  end

  def each_header = sources.files.flat_map { |file| sources.headers(file).map { |header| [file, header] } }
end

# frozen_string_literal: true

require "tsort"
require_relative "../test_helper"

# The layout of ext/frugal: which file includes and calls which, and how functions are named.
# A folder is a unit; so is each file that lies directly in ext/frugal, with its header.
class IncludesTest < Frugal::TestCase
  EXTENSION = File.join(ROOT, "ext/frugal")

  # The sources below a folder, and what they need of each other.
  class Sources
    INCLUDE = /^\s*#\s*include\s+(?:"([^"]+)"|<([^>]+)>)/
    COMMENTS_AND_TEXTS = %r{/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"}m
    # A definition has its name at the beginning of a line, after a line with its type.
    FUNCTION = /^(?!.*\bstatic\b)[A-Za-z_][\w \t*()]*\n(?:[\w ]+\*+)?(\w+)\(/

    attr_reader :files

    def initialize(folder)
      @folder = folder
      @files = Dir.glob("**/*.[ch]", base: folder).sort
    end

    # @return [String] "core/tree"; "methods" for methods.c and methods.h
    def unit(file) = File.dirname(file) == "." ? File.basename(file, ".*") : File.dirname(file)

    # @return [Array<String>] the units as a reader sees them: folders, and files without their extension
    def units = files.map { |file| unit(file) }.uniq

    def c_files = files.grep(/\.c\z/)

    # @return [Array<String>] as they are written, between quotes and angle brackets
    def includes(file) = text(file).scan(INCLUDE).flatten.compact

    # @return [Array<String>] the project's own headers
    def headers(file) = text(file).scan(INCLUDE).filter_map(&:first)

    # @return [String] the only header of a unit that other units may include
    def public_header(unit) = folder?(unit) ? "#{unit}/#{File.basename(unit)}.h" : "#{unit}.h"

    def folder?(unit) = File.directory?(File.join(@folder, unit))

    # @return [Hash{String => String}] external function => the file that defines it
    def functions
      @functions ||= c_files.flat_map { |file| code(file).scan(FUNCTION).flatten.map { |name| [name, file] } }.to_h
    end

    # @return [Array<Array<String>>] the files that include each other in a circle
    def include_circles = circles(files) { |file| headers(file) & files }

    # @return [Array<Array<String>>] the units that include each other in a circle
    def unit_circles
      circles(units) do |unit|
        own = files.select { |file| unit(file) == unit }
        own.flat_map { |file| headers(file) }.map { |header| unit(header) } & units - [unit]
      end
    end

    # @return [Array<Array<String>>] the .c files that call each other's functions in a circle
    def call_circles
      circles(c_files) { |file| functions.values_at(*code(file).scan(/\w+/).uniq & functions.keys).uniq - [file] }
    end

    # @return [String] without comments and string literals
    def code(file) = text(file).gsub(COMMENTS_AND_TEXTS, " ")

    private

    def text(file) = (@texts ||= {})[file] ||= File.read(File.join(@folder, file))

    def circles(nodes, &needed)
      needs = nodes.to_h { |node| [node, needed.call(node)] }
      each_need = ->(node, &block) { needs[node].each(&block) }
      TSort.strongly_connected_components(nodes.method(:each), each_need).select { |circle| circle.size > 1 }
    end
  end

  def test_no_circles
    assert_operator sources.files.size, :>, 100
    assert_empty sources.include_circles, "files that include each other"
    assert_empty sources.unit_circles, "folders that include each other"
    assert_empty sources.call_circles, "files that call each other's functions"
  end

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

  def test_planted_circles_are_found
    write("planted/a/a.h", "#include \"b/b.h\"\nvoid frugal_a_run(void);\n")
    write("planted/a/a.c", "#include \"a/a.h\"\n\nvoid\nfrugal_a_run(void)\n{\n    frugal_b_run();\n}\n")
    write("planted/c.c", "static void\nfree_name(void)\n{\n    frugal_a_run();\n}\n")
    write("planted/b/b.h", "#include \"a/a.h\"\nvoid frugal_b_run(void);\n")
    write("planted/b/b.c", "#include \"b/b.h\"\n\nvoid\nfrugal_b_run(void)\n{\n    frugal_a_run();\n}\n")
    planted = Sources.new(path("planted"))
    assert_equal [%w[a/a.h b/b.h]], planted.include_circles.map(&:sort)
    assert_equal [%w[a b]], planted.unit_circles.map(&:sort)
    assert_equal [%w[a/a.c b/b.c]], planted.call_circles.map(&:sort)
    assert_equal %w[frugal_a_run frugal_b_run], planted.functions.keys
  end

  private

  def sources = @sources ||= Sources.new(EXTENSION)

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

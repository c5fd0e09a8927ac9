# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../../ext/units"

# The units that extensions are compiled in have each C file once, and no two things of one name.
class UnitsTest < Frugal::TestCase
  EXT = File.join(ROOT, "ext")

  def test_each_file_is_in_one_unit
    %w[frugal frugal_recorder].each do |extension|
      Dir.chdir(mkdir(extension)) do
        units = Units.new("#{EXT}/#{extension}").write
        assert_equal Dir.children(".").sort, units.sort
        included = units.flat_map { |unit| File.read(unit).scan(/^#include "(.+)"$/).flatten }
        assert_equal Dir.glob("**/*.c", base: "#{EXT}/#{extension}").sort, included.sort
        assert_operator units.size, :<, included.size / 3, "fewer units than files"
      end
    end
  end

  def test_files_that_share_a_name_are_in_different_units
    { "static ID id_a, id_b;" => "static ID id_b;", "static int\nadd(int a)\n{\n}" => "static int add(int b) { return b; }",
      "#define SIZE 1" => "#define SIZE 2", "typedef struct {\n    int a;\n} pair;" => "typedef struct {\n    long a;\n} pair;",
      "struct pair {\n    int a;\n};" => "struct pair {\n    long a;\n};", "enum {\n    FIRST,\n};" => "enum {\n    FIRST = 2,\n};",
      "static const char *const names[] = {0};" => "static int names[2][3];" }.each_with_index do |(first, second), number|
      write("c #{number}/a/one.c", first)
      write("c #{number}/a/two.c", second)
      write("c #{number}/a/other.c", "static int other;\n/* static ID id_b; */ static const char *text = \"#define SIZE\";")
      Dir.chdir(mkdir("units #{number}")) do
        assert_equal %w[unit_a_1.c unit_a_2.c], Units.new(path("c #{number}")).write, first
        assert_equal "#include \"a/other.c\"\n#include \"a/one.c\"\n".lines.sort, File.readlines("unit_a_1.c").sort
      end
    end
  end

  # Such a pair would silently be one variable.
  def test_the_compiler_finds_no_variable_that_is_defined_twice
    ruby = %w[rubyhdrdir rubyarchhdrdir].flat_map { |name| ["-isystem", RbConfig::CONFIG[name]] }
    Dir.chdir(mkdir("engine")) do
      units = Units.new("#{EXT}/frugal").write
      result = run_command(RbConfig::CONFIG["CC"].split.first, "-fsyntax-only", "-std=gnu11", "-Wredundant-decls", "-D_GNU_SOURCE=1",
                           "-DHAVE_STRUCT_STAT_ST_MTIM", "-DHAVE_PTHREAD_H", "-I#{EXT}/frugal", *ruby, *units, chdir: Dir.pwd)
      assert_equal [0, ""], [result.exitstatus, result.err]
    end
  end
end

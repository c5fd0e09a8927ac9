# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/c_sources"
require_relative "../support/java_sources"

# No two files of C and no two packages of Java need each other; layers_test.rb has the same test for the files of Ruby.
class CirclesTest < Frugal::TestCase
  EXT = File.join(ROOT, "ext")

  { "frugal" => 100, "frugal_recorder" => 30 }.each do |extension, count|
    define_method("test_no_circles_in_#{extension}") do
      sources = CSources.new("#{EXT}/#{extension}")
      assert_operator sources.files.size, :>, count
      assert_operator sources.functions.size, :>, 2 * count
      refute_empty sources.variables
      assert_empty sources.include_circles, "files that include each other"
      assert_empty sources.unit_circles, "folders that include each other"
      assert_empty sources.call_circles, "files that use each other's functions or variables"
    end
  end

  def test_no_circles_among_the_packages_of_java
    sources = JavaSources.new("#{EXT}/java")
    assert_operator sources.packages.size, :>, 8
    assert_empty sources.package_circles
  end

  # javac does not ask for this.
  def test_a_package_of_java_is_its_folder
    JavaSources.new("#{EXT}/java").packages.each { |package, files| assert_equal [package.tr(".", "/")], files.map { |file| File.dirname(file) }.uniq }
  end

  def test_a_file_of_the_recorder_uses_only_those_before_it_in_the_reading_order
    sources = CSources.new("#{EXT}/frugal_recorder")
    order = File.read("#{EXT}/frugal_recorder/recorder.h")[/Reading order.*?\n \*\n/m].scan(/\b(?!log\.h)\w+\.c\b/).uniq
    assert_equal sources.c_files, order.sort
    late = order.flat_map { |file| sources.used_by(file).select { |other| order.index(other) > order.index(file) }.map { |other| "#{file} uses #{other}" } }
    assert_empty late
  end

  def test_planted_circles_in_c_are_found
    write("c/a/a.h", "#include \"b/b.h\"\nvoid frugal_a_run(void);\nextern int *frugal_a_one, frugal_a_two[];\n")
    write("c/a/a.c", "#include \"a/a.h\"\n\nint *frugal_a_one, frugal_a_two[2];\nvoid\nfrugal_a_run(void)\n{\n    frugal_b_run();\n}\n")
    write("c/c.c", "static void\nfree_name(void)\n{\n    frugal_a_run();\n}\n\nEXPORT int\nopen(void)\n{\n}\n")
    write("c/b/b.h", "#include \"a/a.h\"\nvoid frugal_b_run(void);\n")
    write("c/b/b.c", "#include \"b/b.h\"\n\nvoid\nfrugal_b_run(void)\n{\n    frugal_a_two[0] = open();\n}\n")
    planted = CSources.new(path("c"))
    assert_equal [%w[a/a.h b/b.h]], planted.include_circles
    assert_equal [%w[a b]], planted.unit_circles
    assert_equal [%w[a/a.c b/b.c]], planted.call_circles
    assert_equal %w[frugal_a_run frugal_b_run], planted.functions.keys
    assert_equal({ "frugal_a_one" => "a/a.c", "frugal_a_two" => "a/a.c" }, planted.variables)
  end

  def test_planted_circles_in_java_are_found
    write("java/one/A.java", "package one;\n\nimport two.B.Inner;\nimport java.util.List;\n")
    write("java/two/B.java", "package two;\n\nimport static one.A.call;\n")
    write("java/three/C.java", "package three;\n\nimport one.A;\n")
    assert_equal [%w[one two]], JavaSources.new(path("java")).package_circles
  end
end

# frozen_string_literal: true

# The translation units of an extension: the C files of a folder are compiled as one, so that each header is read once
# for each folder. That takes a third of the processor time of one unit for each file. Two files that define different
# things with the same name, such as a static function, go to different units.
#
#   Units.new("ext/frugal").write   # => ["unit_1.c", "unit_core_tree_1.c", …], in the current directory
class Units
  COMMENTS_AND_TEXTS = %r{/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"}m
  # The names that a file can define: functions (at the beginning of a line, or with their type before them), macros,
  # types, tags and the constants of an enum. A typedef of one line may be repeated.
  NAMES = [
    /^(?!__attribute__)(\w+)\(/, /^static[^;{}=()]*?\b(?!__attribute__)(\w+)\(/, /^#\s*define\s+(\w+)/,
    /^\}\s*(\w+)\s*;/, /^(?:typedef\s+)?(?:struct|union|enum)\s+(\w+)\s*\{/, /^ +([A-Z][A-Z_0-9]+)\s*(?:=[^,\n]*)?,?$/
  ].freeze
  # Two definitions of a static variable, such as `static ID id_a, id_b;`, would be one variable, without an error.
  VARIABLES = /^static\s([^;{}()]*?)\s*[=;]/
  VARIABLE = /(\w+)(?:\[[^\]]*\])*\s*\z/

  # @param folder [String] of the sources
  def initialize(folder)
    @folder = folder
  end

  # @return [Array<String>] the names of the files that were written
  def write
    folders.flat_map do |folder, files|
      name = ["unit", *(folder.split("/") unless folder == ".")].join("_")
      units(files).each.with_index(1).map do |unit, number|
        "#{name}_#{number}.c".tap { |file| File.write(file, unit.map { |path| "#include \"#{path}\"\n" }.join) }
      end
    end
  end

  # @return [Hash{String => Array<String>}] the C files of each folder, relative to the extension
  def folders = Dir.glob("**/*.c", base: @folder).sort.group_by { |file| File.dirname(file) }

  private

  # @return [Array<Array<String>>]
  def units(files)
    files.each_with_object([]) do |file, units|
      names = names(file)
      files, taken = units.find { |_, taken| !names.intersect?(taken) } || units.push([[], []]).last
      files << file
      taken.concat(names)
    end.map(&:first)
  end

  def names(file)
    text = File.read(File.join(@folder, file), encoding: "UTF-8").gsub(COMMENTS_AND_TEXTS, "")
    variables = text.scan(VARIABLES).flatten.flat_map { |list| list.split(",") }
    names = NAMES.flat_map { |pattern| text.scan(pattern).flatten }
    names.union(variables.filter_map { |variable| variable[VARIABLE, 1] }) - ["_GNU_SOURCE"] # which extconf.rb defines
  end
end

# frozen_string_literal: true

require_relative "circles"

# The C files below a folder, and what they need of each other. A folder is a unit; so is each file that lies directly
# in the folder, with its header.
#
#   CSources.new("ext/frugal").call_circles   # => []
class CSources
  INCLUDE = /^\s*#\s*include\s+(?:"([^"]+)"|<([^>]+)>)/
  COMMENTS_AND_TEXTS = %r{/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"}m
  # A definition has its name at the beginning of a line, after a line with its type. What the recorder exports has the
  # name of a function of libc or Ruby, and who calls that means libc's or Ruby's.
  FUNCTION = /^(?!.*\b(?:static|EXPORT)\b)[A-Za-z_][\w \t*()]*\n(?:[\w ]+\*+)?(\w+)\(/
  # The names in `extern VALUE one, *two, three[];` of a header.
  VARIABLES = /^extern\s([^;()]*)(?:;|\s__attribute__)/

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

  # @return [Hash{String => String}] external variable => the file that defines it
  def variables
    @variables ||= declared_variables.to_h do |name|
      [name, c_files.find { |file| code(file).match?(/^(?!extern|static|typedef)(?:\w+[ *]+)+(?:\w+,\s+)*#{name}\b(?!\()/) }]
    end.compact
  end

  # @return [Array<String>] the other .c files whose functions and variables a .c file uses
  def used_by(file) = definitions.values_at(*code(file).scan(/\w+/).uniq & definitions.keys).uniq - [file]

  # @return [Array<Array<String>>] the files that include each other in a circle
  def include_circles = Circles.among(files) { |file| headers(file) }

  # @return [Array<Array<String>>] the units that include each other in a circle
  def unit_circles
    Circles.among(units) do |unit|
      own = files.select { |file| unit(file) == unit }
      own.flat_map { |file| headers(file) }.map { |header| unit(header) } - [unit]
    end
  end

  # @return [Array<Array<String>>] the .c files that use each other's functions and variables in a circle
  def call_circles = Circles.among(c_files) { |file| used_by(file) }

  # @return [String] without comments and string literals
  def code(file) = (@codes ||= {})[file] ||= text(file).gsub(COMMENTS_AND_TEXTS, " ")

  private

  def definitions = @definitions ||= functions.merge(variables)

  def declared_variables
    lists = files.grep(/\.h\z/).flat_map { |file| code(file).scan(VARIABLES).flatten }
    lists.flat_map { |list| list.split(",").map { |name| name[/(\w+)(?:\[\])?\s*\z/, 1] } }
  end

  def text(file) = (@texts ||= {})[file] ||= File.read(File.join(@folder, file))
end

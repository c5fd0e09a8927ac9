# frozen_string_literal: true

require_relative "circles"

# The packages of Java below a folder, and what they import of each other.
#
#   JavaSources.new("ext/java").package_circles   # => []
class JavaSources
  PACKAGE = /^package ([\w.]+);/
  IMPORT = /^import (?:static )?([a-z]\w*(?:\.[a-z]\w*)*)\./

  def initialize(folder)
    @texts = Dir.glob("**/*.java", base: folder).to_h { |file| [file, File.read(File.join(folder, file))] }
  end

  def files = @texts.keys

  # @return [Hash{String => Array<String>}] package => its files
  def packages = files.group_by { |file| @texts[file][PACKAGE, 1] }

  # @return [Array<Array<String>>] the packages that import from each other in a circle
  def package_circles
    Circles.among(packages.keys) { |package| packages[package].flat_map { |file| @texts[file].scan(IMPORT).flatten } - [package] }
  end
end

# frozen_string_literal: true

# Lists files with each of the methods that the test suite replaces.
class Catalogue
  def initialize(folder) = @folder = folder
  def all = Dir.glob("#{@folder}/**/*.txt")
  def by_brackets = Dir["#{@folder}/**/*.txt"]
  def top = Dir.glob("#{@folder}/*.txt")
  def names = all.map { |path| File.basename(path, ".txt") }
end

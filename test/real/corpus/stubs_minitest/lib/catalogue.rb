# frozen_string_literal: true

# What the suite tests: it lists files by each of the ways that suites replace.
class Catalogue
  def initialize(folder) = @folder = folder
  def all = Dir.glob("#{@folder}/**/*.txt")
  def by_brackets = Dir["#{@folder}/**/*.txt"]
  def top = Dir.glob("#{@folder}/*.txt")
  def names = all.map { |path| File.basename(path, ".txt") }
end

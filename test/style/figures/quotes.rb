# frozen_string_literal: true

# The sentences of a page that quote results, from a file of this folder:
#
#   # README.md
#   takes {rake > p50000 > rake 13.0.6 > wall}          a sentence, or a part of one; see Reports for the places
#   = about twelve minutes                              a figure of another kind; why, in the line above: "- why"
class Quotes
  # @return [Array<Quotes>] one for each page
  def self.all(folder) = Dir.glob("#{folder}/*.txt").map { |file| new(file) }

  # @return [Hash{String => String}] page in docs/ => the file of this folder that `rake figures` makes it from
  def self.pages(folder) = Dir.glob("#{folder}/*.page").to_h { |file| ["docs/#{File.basename(file, ".page")}.md", file] }

  # @return [String] a text with the figures in their places
  def self.filled(text, reports) = text.gsub(/\{([^}]+)\}/) { reports[$1] }

  attr_reader :file, :page

  def initialize(file)
    @file = file
    head, *@lines = File.readlines(file, chomp: true)
    @page = head.delete_prefix("# ")
  end

  # @return [Array<String>] the sentences as the results give them
  def rendered(reports)
    sentences = @lines.reject { |line| line.empty? || line.start_with?("= ", "- ") }
    sentences.map { |line| self.class.filled(line, reports) }
  end

  # @return [Array<String>] what is no result of a benchmark
  def others = @lines.filter_map { |line| line[/\A= (.*)/, 1] }
end

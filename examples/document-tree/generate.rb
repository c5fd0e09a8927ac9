# frozen_string_literal: true

require "fileutils"

# Generates pages in pages/generated: 50 in each folder, 20 folders in each parent
# folder. The pages of each run are equal.
#
#   ruby generate.rb 20000
class Generator
  ROOT = File.expand_path("pages/generated", __dir__)
  WORDS = %w[leaf water pot cup steam bitter fresh green black oolong minute kettle].freeze

  def initialize(count, root: ROOT)
    @count = count
    @root = root
  end

  def run
    FileUtils.rm_rf(@root)
    @count.times.group_by { |number| folder(number) }.each do |folder, numbers|
      FileUtils.mkdir_p(folder)
      numbers.each { |number| File.write("#{folder}/page-#{number}.md", text(number)) }
    end
  end

  private

  def folder(number)
    format("%<root>s/%<part>02d/%<chapter>02d", root: @root, part: number / 1000, chapter: number / 50 % 20)
  end

  def text(number)
    random = Random.new(number)
    sentences = Array.new(6) { Array.new(8) { WORDS.sample(random: random) }.join(" ").capitalize << "." }
    "# Page #{number}\n\n#{sentences.first(3).join(" ")}\n\n- #{sentences.last(3).join("\n- ")}\n"
  end
end

Generator.new(Integer(ARGV.fetch(0, 20_000))).run if $PROGRAM_NAME == __FILE__

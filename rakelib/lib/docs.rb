# frozen_string_literal: true

require_relative "tools"

# The pages that YARD generates from the public API and the guides; .yardopts lists the files.
class Docs
  # @param folder [String] of the pages
  def initialize(folder = "#{Tools::ROOT}/tmp/docs")
    @folder = folder
  end

  # Generates the pages.
  #
  # @return [Array<String>] YARD's warnings, undocumented names and dead links, one line each
  # @raise [Tools::Missing] if YARD is not installed
  def problems
    made = Tools.run_gem("yard", "doc", "--no-progress", "--no-stats", "--no-cache", "--output-dir", @folder)
    return made.lines unless made.success?

    made.lines.reject(&:empty?) + undocumented + dead_links
  end

  private

  # YARD lists "(in file: lib/…)", then the names in it.
  def undocumented
    lines = Tools.run_gem("yard", "stats", "--list-undoc", "--no-cache").lines
    return [] if lines.any? { |line| line.include?(" 100.00% documented") }

    lines.drop_while { |line| !line.start_with?("(in file") }.map { |line| "not documented: #{line}" }
  end

  def dead_links
    Dir.glob("**/*.html", base: @folder).flat_map do |page|
      folder = File.dirname(File.join(@folder, page))
      links = File.read(File.join(@folder, page), encoding: "UTF-8").scan(/\bhref="(?![a-z]+:)([^"#?]+)[^"]*"/)
      dead = links.flatten.uniq.reject { |link| File.exist?(File.join(folder, link)) }
      dead.map { |link| "#{page}: dead link #{link}" }
    end
  end
end

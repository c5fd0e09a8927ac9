# frozen_string_literal: true

# The committed reports of the benchmarks, bench/results/*.md, by the words that are in them.
#
#   reports = Reports.new("bench/results")
#   reports["rake > p50000 > rake 13.0.6 > wall"]           # => "2.47 s": report, section, row, column
#   reports["sessions > cache, hit > FileStore > calls"]    # => "8": the table of the section that begins with "hit"
#   reports["sessions > target > calls of a miss of frugal"] # => "1": what was measured for a target
#   reports["errors > puma > 200, returned > on the wire > 2 digits"]  # => "59 µs"
#   reports["sessions > cache, hit > FileStore > time > number"]       # => "19.2"
#   reports["demo > demo > all > ratio > range"]            # => "2.2–4.5×": the lowest and the highest of a column
#   reports["startup > top > rake > added (2)"]             # => "21.3 ms": of two columns of this name, above all sections
#
#   reports["real > programs > table"]                      # => "| … |": a whole table
#   reports["real > load"]                                  # => "0.5 before, 0.6 after": a line of the head
#
# Of several reports with the same name, the newest that has the section counts.
class Reports
  class Missing < StandardError; end

  def initialize(folder)
    @folder = folder
  end

  # @param reference [String]
  # @return [String]
  # @raise [Missing] if there is no such report, section, row or column
  def [](reference)
    name, section, row, column, form = reference.split(" > ")
    return fact(name, section) if row.nil?
    return target(name, row) if section == "target"
    return whole_table(name, section) if row == "table"

    section, corner = section.split(", ", 2)
    table = table(name, section, corner, reference)
    return range(table, column) if form == "range"

    cell = table.dig(row, column) || raise(Missing, "no row or column of this name: #{reference}")
    formed(cell, form)
  end

  # @param name [String] "rake", or with a date, "rake-2026-11-23"
  # @return [Array<String>] its files, the newest first
  def files(name)
    Dir.glob("#{@folder}/#{name}#{"-2" unless name.match?(/\d{4}-\d\d-\d\d\z/)}*.md").reverse
  end

  private

  def formed(cell, form)
    case form
    when nil then cell
    when "number" then cell[/[\d.,]+/]
    when /\A\d digits\z/ then cell.sub(/[\d.]+/) { |number| significant(Float(number), Integer(form[0])) }
    else raise Missing, "no such form: #{form}"
    end
  end

  def significant(number, digits)
    places = digits - 1 - Math.log10(number).floor
    rounded = number.round(places)
    places.positive? ? format("%.#{places}f", rounded) : rounded.to_i.to_s
  end

  def range(table, column)
    cells = table.values.map { |row| row.fetch(column) }.sort_by { |cell| cell.delete(",").to_f }
    "#{cells.first[/[\d.,]+/]}–#{cells.last}"
  end

  # A line of the head of a report.
  def fact(name, title)
    File.read(files(name).first || raise(Missing, "no report: #{name}"))[/^- #{title}: `?(.*?)`?$/, 1] || raise(Missing, "#{name} > #{title}")
  end

  # The first table of a section, as it is.
  def whole_table(name, title)
    texts = files(name).filter_map { |file| section(File.read(file), title) }
    (texts.first || raise(Missing, "no report has this section: #{name} > #{title}"))[/(?:^\|.*\n)+/].chomp
  end

  def target(name, title)
    pattern = /^- target #{Regexp.escape(title)} [≤≥][^:]*: (\S+) (?:met|short)/
    files(name).each { |file| (value = File.read(file)[pattern, 1]) && (return value) }
    raise Missing, "no target of #{name}: #{title}"
  end

  # @return [Hash{String => Hash{String => String}}] row => column => cell
  def table(name, section, corner, reference)
    files(name).each do |file|
      text = section(File.read(file), section) or next
      found = tables(text).find { |rows| corner.nil? || rows.first.first == corner } or next
      return found.drop(1).to_h { |row| [row.first, columns(found.first).zip(row).to_h] }
    end
    raise Missing, "no report has this section: #{reference}"
  end

  # @return [String, nil] "top" is what is above the first section
  def section(text, name)
    return text[/\A.*?(?=^## |\z)/m] if name == "top"

    text[/^## #{Regexp.escape(name)}\b[^\n]*\n(.*?)(?=^## |\z)/m, 1]
  end

  # A second column of the same name is "name (2)".
  def columns(names)
    names.each_with_index.map do |name, i|
      before = names.first(i).count(name)
      before.zero? ? name : "#{name} (#{before + 1})"
    end
  end

  # The tables of a section, as rows of cells. The line of dashes is left out.
  def tables(text)
    text.scan(/(?:^\|.*\n)+/).map do |block|
      block.lines.map { |line| line.strip.delete_prefix("|").delete_suffix("|").split("|").map(&:strip) }
           .grep_v(->(row) { row.all?(/\A:?-+:?\z/) })
    end
  end
end

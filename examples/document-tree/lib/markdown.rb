# frozen_string_literal: true

require "cgi/escape"

# Converts a small part of Markdown to HTML: headings, paragraphs, lists, quotes and
# fenced code; code, links, strong and emphasis within a line.
#
#   Markdown.new("# Tea\n\nBoil *water*.").to_html
#   # => "<h1>Tea</h1>\n<p>Boil <em>water</em>.</p>\n"
class Markdown
  FENCE = /\A```\s*(?<language>\w*)\s*\z/
  HEADING = /\A(?<marks>\#{1,6}) +(?<text>.+?)\s*\z/
  ITEM = /\A(?<mark>[-*]|\d+\.) +(?<text>.+)\z/
  QUOTE = /\A> ?(?<text>.*)\z/
  INLINE = [
    [/\[([^\]]+)\]\(([^)\s]+)\)/, '<a href="\2">\1</a>'],
    [/\*\*(.+?)\*\*/, '<strong>\1</strong>'],
    [/\*(.+?)\*/, '<em>\1</em>']
  ].freeze

  def initialize(text)
    @lines = text.lines(chomp: true)
  end

  # Returns the text of the first heading, or nil.
  def title = @lines.lazy.filter_map { |line| line[HEADING, :text] }.first

  def to_html
    html = +""
    rest = @lines.dup
    html << block(rest) until rest.empty?
    html
  end

  private

  # Removes the next block from the lines and returns its HTML.
  def block(rest)
    case rest.first
    when /\A\s*\z/ then rest.shift && ""
    when FENCE then code(rest)
    when HEADING then heading(rest.shift)
    when ITEM then list(rest)
    when QUOTE then quote(rest)
    else paragraph(rest)
    end
  end

  def heading(line)
    heading = HEADING.match(line)
    level = heading[:marks].size
    "<h#{level}>#{inline(heading[:text])}</h#{level}>\n"
  end

  def code(rest)
    language = rest.shift[FENCE, :language]
    lines = take(rest) { |line| !line.start_with?("```") }
    rest.shift
    attribute = %( class="#{language}") unless language.empty?
    "<pre><code#{attribute}>#{CGI.escapeHTML(lines.join("\n"))}</code></pre>\n"
  end

  def list(rest)
    tag = rest.first.match?(/\A\d/) ? "ol" : "ul"
    items = take(rest) { |line| ITEM.match?(line) }
    "<#{tag}>\n#{items.map { |line| "<li>#{inline(line[ITEM, :text])}</li>\n" }.join}</#{tag}>\n"
  end

  def quote(rest)
    lines = take(rest) { |line| QUOTE.match?(line) }.map { |line| line[QUOTE, :text] }
    "<blockquote>\n#{Markdown.new(lines.join("\n")).to_html}</blockquote>\n"
  end

  def paragraph(rest)
    lines = take(rest) do |line|
      line.match?(/\S/) && [FENCE, HEADING, ITEM, QUOTE].none? { |start| start.match?(line) }
    end
    "<p>#{inline(lines.join("\n"))}</p>\n"
  end

  # Text between backquotes is code, in which other marks have no meaning.
  def inline(text)
    text.split(/(`[^`]+`)/).map do |part|
      next "<code>#{CGI.escapeHTML(part[1..-2])}</code>" if part.match?(/\A`.+`\z/m)

      INLINE.reduce(CGI.escapeHTML(part)) { |html, (pattern, replacement)| html.gsub(pattern, replacement) }
    end.join
  end

  def take(rest, &block)
    taken = rest.take_while(&block)
    rest.shift(taken.size)
    taken
  end
end

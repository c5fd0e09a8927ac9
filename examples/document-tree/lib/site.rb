# frozen_string_literal: true

require_relative "markdown"

# Writes pages from their Markdown and the layout.
class Site
  def initialize(layout)
    @layout = layout
  end

  # Writes the page of one Markdown file.
  def page(source, target)
    markdown = Markdown.new(read(source))
    write(target, markdown.title, markdown.to_html)
  end

  # Writes the list of a folder's pages and subfolders.
  def contents(sources, folders, target)
    pages = sources.map { |source| [File.basename(source, ".md") + ".html", Markdown.new(read(source)).title] }
    below = folders.map { |folder| ["#{folder}/contents.html", "#{folder}/"] }
    items = (pages + below).map { |link, text| "- [#{text}](#{link})" }
    write(target, "Contents", Markdown.new("# Contents\n\n#{items.join("\n")}").to_html)
  end

  private

  # Pages are always UTF-8, independent of the locale.
  def read(path) = File.read(path, encoding: Encoding::UTF_8)

  def write(target, title, body)
    fields = { "title" => title || File.basename(target, ".html"), "body" => body,
               "root" => "../" * (target.count("/") - 1) }

    @text ||= read(@layout)
    File.write(target, @text.gsub(/\{\{(\w+)\}\}/) { fields.fetch($1) })
  end
end

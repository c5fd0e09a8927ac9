# frozen_string_literal: true

# Markdown files link to each other with relative paths, as GitHub needs it: docs/store.md, ../bench/results. In YARD's
# pages, a link to a page leads to that page, any other link to GitHub. .yardopts loads this file.
module YardLinks
  HOME = "https://github.com/frugal-rb/frugal"
  ROOT = File.expand_path("../..", __dir__)
  # href or src, of everything except a URL, an anchor and a page of YARD's own.
  LINK = /\b(href|src)="(?![a-z]+:|#|file\.)([^"#]+)(#[^"]*)?"/

  # @param text [String] Markdown
  # @return [String] HTML
  def html_markup_markdown(text)
    super.gsub(LINK) { %(#{$1}="#{YardLinks.target($1, $2, source_folder)}#{$3}") }
  end

  # @param attribute [String] href or src
  # @param path [String] as written in the file
  # @param folder [String] of the file, below the root
  # @return [String]
  def self.target(attribute, path, folder)
    path = File.expand_path(path, File.join(ROOT, folder)).delete_prefix("#{ROOT}/")
    return "file.#{File.basename(path, ".md")}.html" if attribute == "href" && page?(path)

    "#{HOME}/#{attribute == "src" ? "raw" : "blob"}/main/#{path}"
  end

  # @param path [String] below the root
  # @return [Boolean] whether .yardopts names it
  def self.page?(path) = path.match?(%r{\A(?:docs/(?:adr/)?)?[^/]+\.md\z})

  private

  # Comments in Ruby link from the root.
  def source_folder = @file.respond_to?(:filename) ? File.dirname(@file.filename) : "."
end

YARD::Templates::Helpers::HtmlHelper.prepend(YardLinks)

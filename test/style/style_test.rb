# frozen_string_literal: true

# needs: tools

require_relative "../test_helper"
require_relative "../../rakelib/lib/docs"
require_relative "../../rakelib/lib/lint"

# `rake lint` and `rake docs` find nothing to report.
class StyleTest < Frugal::TestCase
  Lint::CHECKS.each do |name|
    define_method(:"test_#{name}_has_nothing_to_report") do
      assert_empty Lint.new(name).problems, "`rake lint` shows them"
    rescue Tools::Missing => e
      skip e.message
    end
  end

  # No warning of YARD's, every public method documented, no dead link; and a page for each class of sig/.
  def test_documentation
    assert_empty Docs.new(mkdir("docs")).problems
    classes = File.read("#{ROOT}/sig/frugal.rbs").scan(/^\s*(?:class|module) (\w+)/).flatten
    pages = Dir.glob("**/*.html", base: path("docs")).map { |page| File.basename(page, ".html") }
    assert_empty classes - pages, "name the files of these in .yardopts"
    assert_includes pages, "file.store"
  rescue Tools::Missing => e
    skip e.message
  end

  def test_the_index_of_documents_is_complete
    index = File.read("#{ROOT}/docs/index.md")
    documents = Dir.glob("docs/{*,adr/*}.md", base: ROOT).map { |file| File.basename(file) } - ["index.md"]
    assert_empty documents.reject { |name| index.include?("#{name})") }
    named = index.scan(%r{`(lib/frugal/[\w/]+\.rb)`}).flatten
    assert_empty named.reject { |file| File.file?("#{ROOT}/#{file}") }
    assert_operator named.size, :>, 5
  end
end

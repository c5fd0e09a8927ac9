# frozen_string_literal: true

require_relative "../test_helper"
require_relative "figures/reports"
require_relative "figures/quotes"

# Every figure that README.md and docs/ quote comes from a committed result: test/style/figures/*.txt have the sentences
# with the place of each figure. A changed result, or a changed sentence, fails without the other.
class FiguresTest < Frugal::TestCase
  QUOTES = Quotes.all(File.join(ROOT, "test/style/figures"))
  # Of the corpus of test/real; the others are gems and programs that others have written.
  WRITTEN_FOR_THE_TEST = %w[autoload stubs-minitest stubs-rspec fakefs rails-assets rails-test].freeze
  MEASURED = /\d[\d.,]*(?:–[\d.,]+)?(?: (?:µs|ms|s|stats)\b|×)/

  QUOTES.each do |quotes|
    define_method("test_#{quotes.page.gsub(/\W+/, "_")}_quotes_the_committed_results") do
      text = page(quotes.page)
      missing = quotes.rendered(reports).reject { |sentence| text.include?(sentence) }
      assert_empty missing, "#{quotes.page} does not have these sentences, which the results give"
    end
  end

  Quotes.pages(File.join(ROOT, "test/style/figures")).each do |page, source|
    define_method("test_#{page.gsub(/\W+/, "_")}_is_made_from_the_committed_results") do
      assert_equal Quotes.filled(File.read(source), reports), page(page), "rake figures"
    end
  end

  # In a sentence that is not quoted, README has no measured figure, outside of examples.
  def test_readme_has_no_other_figures
    quotes = QUOTES.find { |one| one.page == "README.md" }
    text = page("README.md").gsub(/^```.*?^```$/m, "")
    [*quotes.rendered(reports), *quotes.others].each { |sentence| text = text.sub(sentence, "") }
    assert_empty text.lines(chomp: true).grep(MEASURED), "quote them in #{quotes.file}"
  end

  def test_a_changed_figure_is_found
    copy = path("results")
    FileUtils.cp_r(File.join(ROOT, "bench/results"), copy)
    file = Reports.new(copy).files("rake").first
    File.write(file, File.read(file).gsub("450,010", "450,011"))
    quotes = QUOTES.find { |one| one.page == "README.md" }
    assert_equal 2, quotes.rendered(Reports.new(copy)).count { |sentence| !page("README.md").include?(sentence) }
  end

  # Of each benchmark and machine the newest result is kept, and what a page quotes by its date.
  def test_no_result_is_superseded
    names = Dir.children(File.join(ROOT, "bench/results")).map { |file| file[/\A(.+?-2\d{3}-\d\d-\d\d)(.*?)\.\w+\z/] && [$1, $2] }.uniq
    older = names.group_by { |dated, machine| [dated[/\A.+(?=-2\d{3})/], machine] }.values.flat_map { |same| same.sort[..-2] }
    assert_empty older.map(&:first) - QUOTES.flat_map { |one| File.read(one.file).scan(/\{([a-z]+-[\d-]+) >/) }.flatten
  end

  def test_readme_counts_the_real_programs
    names = run_command(RbConfig.ruby, "#{ROOT}/test/real/real.rb", "--list").out.lines.map { |line| line[/\S+/] }
    assert_empty WRITTEN_FOR_THE_TEST - names
    assert_includes page("README.md").tr("\n", " "), "#{(names - WRITTEN_FOR_THE_TEST).size} real programs and six written for it"
  end

  def test_readme_counts_the_tests_of_rake_as_contributing_does
    runs, tests = ["13.0.6", "at 474500ab"].map { |version| page("CONTRIBUTING.md")[/^\| Rake #{version} \| (\d+ \w+)/, 1] }
    assert_includes page("README.md"), "#{runs} (13.0.6) and #{tests} (newest)"
  end

  def test_references
    write("results/a-2026-01-01.md", <<~REPORT)
      - load: 0.5 before

      ## one: a section

      | hit | time | calls |
      |:----|-----:|------:|
      | x   | 65.7 µs | 1,000 |
      | y   | 0.127 s | 2 |

      - target x / y ≥2.0×: 1.72× short
    REPORT
    reports = Reports.new(path("results"))
    expected = ["65.7 µs", "66 µs", "65.7", "0.13 s", "1,000", "1.72×", "2–1,000"]
    assert_equal expected, ["one > x > time", "one > x > time > 2 digits", "one > x > time > number", "one > y > time > 2 digits",
                            "one, hit > x > calls", "target > x / y", "one > all > calls > range"].map { |place|
                              reports["a > #{place}"]
                            }
    assert_equal "0.5 before", reports["a > load"]
    assert_equal 4, reports["a > one > table"].lines.size
    assert_raises(Reports::Missing) { reports["a > one > z > time"] }
    assert_raises(Reports::Missing) { reports["a > two > x > time"] }
  end

  private

  def page(name) = File.read(File.join(ROOT, name))

  def reports = @reports ||= Reports.new(File.join(ROOT, "bench/results"))
end

# frozen_string_literal: true

require_relative "../test_helper"
require "rexml/document"
require_relative "../../bench/support/report"
require_relative "../../bench/support/results"
require_relative "../../bench/pstore/contents"

# The charts, formats and files of benchmarks.
class BenchSupportTest < Frugal::TestCase
  def test_durations_have_three_digits
    { 0.85e-6 => "850 ns", 3.4e-6 => "3.40 µs", 9.996e-6 => "10.0 µs", 99.96e-6 => "100 µs", 0.99951e-3 => "1.00 ms",
      0.0131 => "13.1 ms", 0.9996 => "1.00 s", 10.7 => "10.7 s", 206.4 => "206 s" }
      .each { |seconds, text| assert_equal text, Frugal::Bench::Duration.readable(seconds) }
  end

  def test_every_power_of_ten_is_equally_wide
    drawn = draw([["ours", [[10, 1e-6], [100, 1e-5], [1000, 1e-4]]]])
    left, middle, right = points(drawn).first
    assert_in_delta right[0] - middle[0], middle[0] - left[0], 0.11
    assert_in_delta middle[1] - right[1], left[1] - middle[1], 0.11
    assert_equal "10 100 1,000", texts(drawn).grep(/\A1[0,]*\z/).join(" ")
    assert_equal ["e-4", "e-5", "e-6"], texts(drawn).grep(/\Ae/).sort
  end

  def test_points_that_are_not_positive_are_left_out
    drawn = draw([["zero", [[10, 0.0]]], ["<ours>", [[0, 1.0], [10, 1.0]]]])
    assert_equal 1, points(drawn).size
    assert_includes texts(drawn), "<ours>"
    assert_empty points(draw([]))
  end

  def test_names_of_lines_do_not_cover_each_other
    drawn = draw(Array.new(4) { |i| ["rival #{i}", [[10, 1.0], [100, 1.0 + i / 100.0]]] })
    heights = REXML::XPath.match(drawn, "//text").select { |text| text.text.start_with?("rival") }
                          .map { |text| text.attributes["y"].to_i }
    assert_equal 4, heights.size
    heights.sort.each_cons(2) { |above, below| assert_operator below - above, :>=, 15 }
  end

  def test_contents_change_each_time_and_change_keeps_their_size
    [["strings", 10], ["hashes", 100], ["shared", 10]].each do |kind, roots|
      contents = Frugal::PStoreBench::Contents.new(kind, roots)
      table = contents.table
      (1..250).each do |turn|
        { "change" => :assert_equal, "resize" => :refute_equal }.each do |action, assertion|
          key, value = contents.key(turn, action), contents.value(turn, action)
          refute_equal table.fetch(key), value
          previous = action == "change" ? table[key] : contents.value(turn - roots, action)
          __send__(assertion, size(previous), size(value))
        end
      end
      assert_equal table.keys.sort, (1..roots).map { |turn| contents.key(turn, "read") }.sort, "each root has its turn"
    end
  end

  # The results of a benchmark that counts stripes.
  class Stripes < Frugal::Bench::Results
    private

    def goals_of(name) = [goal(name, "b / a", :at_least, 1.5, times(row(name, "b"), row(name, "a")))]
  end

  class StripesReport < Frugal::Bench::Report
    LEGEND = "legend"
    CHART = "Stripes"
    TABLE = [["time", ->(row) { duration(row.median) }], ["rounds", :rounds.to_proc]].freeze

    private

    def verdict = sum_of_goals
    def body(subject) = table(TABLE, @results.rows(subject))
    def panels(chart) = @results.subjects.each { |subject| bars(chart, subject.title, @results.rows(subject)) }
  end

  def test_tables_targets_and_bars_are_made_from_rows
    report = StripesReport.new(stripes("a" => [1.0, 2.0], "b" => [2.0, nil, 9.0], "c" => []),
                               { command: "bench", date: "today", machine: { cpu: "one" }, load: [1.0, 2.0], notes: ["none"] })
    assert_equal <<~TEXT, report.to_s
      # 1 of 1 targets met

      - command: `bench`
      - date: today
      - cpu: one
      - load: 1.0 before, 2.0 after
      - note: none

      legend

      ## zebra: stripes

      |   |            time | rounds |
      |:--|----------------:|-------:|
      | a |          1.50 s |      2 |
      | b |          5.50 s |      2 |
      | c | dies: NoStripes |      – |

      - target b / a ≥1.50×: 2.0× met
    TEXT
    assert_equal %w[md json svg], report.files.keys
    assert_equal ["1.50 s", "5.50 s", "dies: NoStripes"], texts(REXML::Document.new(report.files["svg"])).grep(/ s\z|dies/)
  end

  # A checkout saves a report in its bench/results. An installed gem, which has no bin/setup, saves it in the current
  # directory.
  def test_where_a_report_is_saved
    %w[lib bench/support].each { |part| mkdir(File.dirname("gem/#{part}")) && FileUtils.cp_r("#{ROOT}/#{part}", path("gem/#{part}")) }
    write("gem/bench/zebra.rb", <<~RUBY)
      # Zebras
      require_relative "support/command"
      module Zebra
        class Benchmark < Struct.new(:name, :options)
          def run = self
          def results = nil
          def facts(_command) = nil
        end
        class Report < Struct.new(:results, :facts)
          def to_s = "# stripes"
          def files = { "md" => to_s, "json" => "{}" }
        end
      end
      Frugal::Bench::Command.start(Frugal::Bench.define("zebra", Zebra) { reports chart: false }, ARGV)
    RUBY
    assert_saved("work/bench/results", "ls bench/results/")
    write("gem/bin/setup", "")
    assert_saved("gem/bench/results", "git add #{path("gem/bench/results/")}")
  end

  private

  # @param samples [Hash{String => Array<Float, nil>}] seconds by rival and round; one without samples has died
  def stripes(samples)
    subject = Struct.new(:name, :title).new("zebra", "stripes")
    rows = samples.map do |label, times|
      Frugal::Bench::Row.new(subject, label, :time).tap do |row|
        times.each_with_index { |time, round| row[:time][round] = time }
        row.death = "NoStripes" if times.empty?
      end
    end
    Stripes.new.tap { |results| results.add(subject, rows) }
  end

  def assert_saved(folder, step)
    result = run_command(RUBY, path("gem/bench/zebra.rb"), "--save", chdir: mkdir("work"))
    assert_match(/^next: #{Regexp.escape(step)}zebra-\S+\.\*\n\z/, result.out, result)
    assert_equal %w[.json .md], Dir.children(path(folder)).map { |name| File.extname(name) }.sort
  end

  def draw(lines)
    chart = Frugal::Bench::Chart.new("title", "subtitle")
    plot = Frugal::Bench::Plot.new("plot", "roots", lines) { |value| "e#{Math.log10(value).round}" }
    REXML::Document.new(chart.plot(plot).to_s.sub(' xmlns="http://www.w3.org/2000/svg"', ""))
  end

  def points(document)
    REXML::XPath.match(document, "//*[@class='line']").map do |line|
      line.attributes["points"].split.map { |point| point.split(",").map(&:to_f) }
    end
  end

  def texts(document) = REXML::XPath.match(document, "//text").map(&:text)

  def size(value) = Marshal.dump(value).bytesize
end

# frozen_string_literal: true

require "json"
require_relative "../test_helper"
require_relative "../support/json_schema"
require "frugal/profile"

# How the reports show what tasks did not declare.
class TaskReportsTest < Frugal::TestCase
  EXE = File.join(ROOT, "exe/frugal")
  SCHEMA = JSONSchema.new(JSON.parse(File.read(File.join(ROOT, "docs/profile.schema.json"))))
  RAKEFILE = <<~'RUBY'
    %w[a b c].each do |name|
      file("out/#{name}" => name) do |t|
        File.write(t.name, File.read(name) + File.read("layout") + File.read("foot"))
      end
    end
    task(:stamp) { File.write("time", "1") }
    file("checked" => "a") { |t| File.read("time") }
    file("by-product" => "a") { |t| cp "a", t.name, verbose: false; File.write("<b>\e[1m", "x") }
    task default: %w[out/a out/b out/c stamp checked by-product]
  RUBY
  TEXT = <<~TEXT
    undeclared dependencies in Rake: a build may leave files stale, and rake -m may run a task too early:
           -  task out/a (Rakefile:2) and 2 more tasks of this line read layout and 1 more file (Rakefile:3), which are not prerequisites
              fix: add "layout", "foot" to the prerequisites of these tasks (Rakefile:2)
           -  task checked (Rakefile:7) read time (Rakefile:7), which task stamp writes: that is not a prerequisite
              fix: file "checked" => "time", and make "time" the product of a file task, not of "stamp"
           -  task checked (Rakefile:7) did not create its file, and will run again
              fix: let the action create it, or make it a plain task: task "checked"
           -  task by-product (Rakefile:8) wrote <b>\\e[1m (Rakefile:8), which it does not declare
              fix: file "<b>\\e[1m" => "by-product"
  TEXT

  def setup
    skip "the recorder needs MRI on a 64-bit Linux" unless Frugal::Profile::Run.supported?
    %w[a b c layout foot].each { |name| write(name) }
    mkdir("out")
    write("Rakefile", RAKEFILE)
  end

  def test_on_the_terminal
    result = profile
    assert_includes result.err, "\n\n#{TEXT}\nnext: ", result
    FileUtils.rm(Dir[path("out/*")])
    result = profile("--top", "1")
    assert_includes result.err, "#{TEXT.lines.first(3).join}          and 2 more lines of tasks\n", result
  end

  def test_one_task_that_reads_many_files
    ("a".."g").each { |name| write(name) }
    write("Rakefile", "task(default: 'x')\nfile('x' => 'c') { |t| File.write(t.name, Dir['?'].map { |name| File.read(name) }.join) }\n")
    text = profile.err
    assert_includes text, "task x (Rakefile:2) read a and 5 more files (Rakefile:2), which are not prerequisites\n"
    assert_includes text, %(fix: file "x" => ["a", "b", "d", "e", "f", …]\n)
  end

  def test_where_nothing_is_undeclared
    write("Rakefile", "file('x' => 'a') { |t| cp 'a', t.name }\ntask default: 'x'\n")
    refute_match(/undeclared/, profile("--json", "r.json").err)
    assert_empty JSON.parse(File.read(path("r.json")))["undeclared"]
  end

  # The groups of calls are those of routes then.
  def test_by_route
    profile("--by", "route", "--json", "r.json")
    assert_empty JSON.parse(File.read(path("r.json")))["undeclared"]
  end

  def test_as_json
    profile("--json", "r.json")
    document = JSON.parse(File.read(path("r.json")))
    assert_empty SCHEMA.errors(document)
    rows = document["undeclared"]
    assert_equal %w[read] * 6 + %w[read product write], rows.map { |row| row["kind"] }
    assert_equal({ "kind" => "read", "task" => "checked", "task_file" => path("Rakefile"), "task_line" => 7, "path" => path("time"),
                   "file" => path("Rakefile"), "line" => 7, "writer" => "stamp",
                   "fix" => 'file "checked" => "time", and make "time" the product of a file task, not of "stamp"' }, rows[6])
  end

  def test_names_that_are_no_text
    write("\xFF".b, "")
    write("Rakefile", %(file("out-\\xFE".b => "a") { |t| File.write(t.name, File.read("\\xFF".b)) }\ntask default: "out-\\xFE".b\n))
    profile("--json", "r.json")
    document = JSON.parse(File.read(path("r.json")))
    assert_empty SCHEMA.errors(document)
    row = document["undeclared"].first
    assert_equal ["out-\xFE".b, path("\xFF").b], row.values_at("task_base64", "path_base64").map { |text| text.unpack1("m0") }
    assert_equal 'file "out-\xFE" => "\xFF"', row["fix"]
  end

  def test_as_a_page
    profile("--html", "r.html")
    page = File.read(path("r.html"))
    refute_includes page, "<b>"
    data = JSON.parse(page[%r{<script type="application/json" id="data">(.*?)</script>}m, 1])
    rows = data["undeclared"]["rows"]
    assert_equal [["out/a", "Rakefile:2", 6], ["checked", "Rakefile:7", 1], ["checked", "Rakefile:7", 1], ["by-product", "Rakefile:8", 1]],
                 rows.map { |row| row.values_at(0, 1, 4) }
  end

  private

  def profile(*options)
    rake = [RUBY, "-W0", Gem.bin_path("rake", "rake")]
    run_command(RUBY, "-w", "-I", LIB, EXE, "profile", *options, "--", *rake, chdir: tree).tap { |result| assert result.success?, result }
  end
end

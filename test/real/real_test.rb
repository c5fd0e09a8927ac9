# frozen_string_literal: true

require_relative "../test_helper"
require_relative "project"
require_relative "runner"
require_relative "report"

# The runner finds each kind of difference, and nothing else. The quick programs of the
# corpus have no difference. `rake real` runs the whole corpus.
class RealTest < Frugal::TestCase
  ENTRY = File.expand_path("real.rb", __dir__)
  # Ruby code whose value is "frugal" under frugal run, else "": a deliberate difference.
  SEEN = "ENV.fetch('RUBYOPT', '')[/frugal/].to_s"

  def teardown
    FileUtils.rm_rf("#{Real::Store::RUBY}/projects/test-#{Process.pid}")
    super
  end

  def test_a_program_without_a_difference
    result = run_project { run "ruby", "-e", "puts 1; warn 2; File.write('made', '3'); exit 0" }

    assert_equal :same, result.verdict, result
    assert_equal [], result.drop_ins
    assert_operator result.speed_up, :>, 0
    refute File.exist?("#{Real::Store::ROOT}/runs/test-#{Process.pid}"), "the trees of the runs are removed"
  end

  def test_each_kind_of_difference_is_found
    { "puts #{SEEN}" => ["standard output"], "warn #{SEEN}" => ["standard error"], "exit(#{SEEN}.size)" => ["ending"],
      "File.write('f', #{SEEN})" => ["tree/f"],
      "File.write('f', '', perm: 0o600 + #{SEEN}.size / 6 * 0o40)" => ["tree/f"],
      "File.symlink(#{SEEN} + 'x', 'l')" => ["tree/l"], "File.write(Dir.home + '/' + #{SEEN} + 'h', '')" =>
      ["home/frugalh: only in the other", "home/h: missing in the other"] }.each do |script, whats|
      result = run_project { run "ruby", "-e", script }

      assert_equal [:different, whats], [result.verdict, result.differences.map(&:what)], script
    end
  end

  def test_output_that_stock_does_not_repeat_is_unstable_until_the_corpus_declares_it
    random = "File.write('r', 'key ' + rand.to_s); File.write('b', Random.bytes(9)); puts rand"
    unstable = run_project { run "ruby", "-e", random }
    assert_equal :unstable, unstable.verdict
    assert_equal ["standard output", "tree/b", "tree/r"], unstable.differences.map(&:what)

    declared = proc do |script|
      normalise(/\d\.\d+(?:e-\d+)?/ => "RANDOM") # 3.6e-05 is as likely as any
      bytes_vary_in "tree/b"
      run "ruby", "-e", script
    end
    same = run_project { instance_exec(random, &declared) }
    assert_equal :same, same.verdict, same.differences

    other_mode = "#{random}; File.chmod(0o600 + #{SEEN}.size, 'b')"
    different = run_project { instance_exec(other_mode, &declared) }
    found = [different.verdict, different.differences.map(&:what)]
    assert_equal [:different, ["tree/b"]], found, "its mode is compared"
  end

  def test_declarations_of_the_corpus_hide_nothing_that_stock_repeats
    result = run_project do
      normalise(/frugal/ => "")
      bytes_vary_in "tree/*"
      run "ruby", "-e", "puts #{SEEN}; File.write('f', #{SEEN})"
    end
    assert_equal [:different, ["standard output", "tree/f"]], [result.verdict, result.differences.map(&:what)]
  end

  def test_a_program_that_does_not_run_here_is_not_a_difference
    result = run_project { run "ruby", "-e", "warn 'zebra'; exit 3" }
    assert_equal :broken, result.verdict
    assert_match(/stock ended with exit status 3.*zebra/m, result.reason)

    result = run_project { needs("no-such-zebra") || run("true") }
    assert_equal [:left_out, "needs no-such-zebra"], [result.verdict, result.reason]
  end

  def test_a_difference_is_printed_as_a_diff_and_is_the_exit_status
    result = run_project { run "ruby", "-e", "puts 'before', #{SEEN}, 'after'" }
    status = nil
    out, = capture_io { status = Real::Report.new([result], "c").print }

    assert_equal 1, status
    assert_match(/^   standard output\n   --- stock\n   \+\+\+ other\n.*^   -\n   \+frugal$/m, out)
    assert_match(/^test-\d+ +DIFFERENT +\d+\.\d\d s +\d+\.\d\d s$/, out)
    assert_equal "0 of 1 projects: same output, status and tree, stock and frugal (c); 1 different\n", out.lines.last
  end

  def test_the_quick_programs_have_no_difference
    projects = Real::Corpus.projects.select(&:quick?)
    begin
      Real::Store.install(projects) { |line| puts line }
    rescue Real::Broken => e
      skip "gems of the corpus cannot be installed: #{e.message}"
    end
    result = run_command(RUBY, "-w", ENTRY, "--quick", "--no-drop-ins", env: { "RUBYOPT" => nil }, timeout: 300)

    assert result.success?, result
    all = "#{projects.size} of #{projects.size} projects"
    assert_equal "#{all}: same output, status and tree, stock and frugal (c)\n", result.out.lines.last
  end

  def test_every_project_is_complete
    Real::Corpus.projects.each do |project|
      assert project.command, project.name
      assert_equal project.pinned.uniq, project.pinned, project.name
      project.pinned.each { |gem| assert_match(/\A[\w-]+-\d+(\.\w+)+\z/, gem, project.name) }
    end
    assert_operator Real::Corpus.projects.size, :>=, 12
    assert_equal Real::Corpus.projects.map(&:name).uniq, Real::Corpus.projects.map(&:name)
  end

  def test_wrong_usage
    { %w[--only zebra] => "zebra: no such project", %w[--engine zebra] => "zebra", %w[zebra] => "zebra",
      %w[--zebra] => "--zebra" }.each do |argv, words|
      result = run_command(RUBY, "-w", ENTRY, *argv)

      assert_equal 2, result.exitstatus, result
      assert_includes result.err, words
      assert_includes result.err, "next: ruby test/real/real.rb --help"
    end
    assert_match(/^usage: ruby test.*^Exit status: /m, run_command(RUBY, "-w", ENTRY, "--help").out)
    assert_match(/^builder +its Rakefile/, run_command(RUBY, "-w", ENTRY, "--list").out)
  end

  private

  def run_project(&definition)
    project = Real::Project.new("test-#{Process.pid}", "of this test", &definition)
    Real::Runner.new { |_| nil }.run(project)
  end
end

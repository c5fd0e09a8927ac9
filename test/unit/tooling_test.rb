# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../../rakelib/lib/workflows"

# The checks of `rake lint` and `rake docs`, and their messages when a program is missing. test/style runs
# them on this checkout.
class ToolingTest < Frugal::TestCase
  WORKFLOW = <<~YAML
    on: push
    permissions: {}
    jobs:
      one:
        runs-on: linux
        timeout-minutes: 1
        steps:
          - run: "true"
  YAML
  # A part of the message => a workflow with that problem.
  WRONG = {
    "is not a mapping" => "- one",
    "did not find expected" => "#{WORKFLOW}  - x",
    "the top level has the unknown key job" => "#{WORKFLOW}job: 1\n",
    "jobs is missing" => "on: push\npermissions: {}\n",
    "permissions is missing" => WORKFLOW.sub("permissions: {}\n", ""),
    "unknown event pushed" => WORKFLOW.sub("push", "pushed"),
    "job one has the unknown key step" => WORKFLOW.sub("steps", "step"),
    "job one has no runs-on" => WORKFLOW.sub("    runs-on: linux\n", ""),
    "job one has no timeout-minutes" => WORKFLOW.sub("    timeout-minutes: 1\n", ""),
    "job one needs two, which is not a job" => WORKFLOW.sub("runs-on", "needs: [two]\n    runs-on"),
    "step 1 of job one needs either uses or run" => WORKFLOW.sub('run: "true"', "name: one"),
    "step 1 of job one has the unknown key runs" => WORKFLOW.sub("run:", "runs:"),
    "actions/checkout@main is not pinned" => WORKFLOW.sub('run: "true"', "uses: actions/checkout@main"),
    "job one uses matrix.ruby, which its matrix lacks" => WORKFLOW.sub('"true"', '"${{ matrix.ruby }}"'),
    "job one uses steps.x, which is not the id" => WORKFLOW.sub('"true"', '"${{ steps.x.outputs.y }}"'),
    "job one uses needs.two and does not need it" => WORKFLOW.sub('"true"', '"${{ needs.two.result }}"')
  }.freeze

  def test_a_workflow_is_checked
    assert_empty Workflow.new(write("right.yml", WORKFLOW)).problems
    WRONG.each do |words, text|
      problems = Workflow.new(write("wrong.yml", text)).problems
      assert problems.any? { |problem| problem.start_with?("wrong.yml: ") && problem.include?(words) }, "#{words}: #{problems}"
    end
  end

  # A checkout in a folder whose name has a space, without git, without any tool, and without a network.
  def test_missing_programs_are_reported
    FileUtils.cp_r(%w[Rakefile Gemfile rakelib .rubocop.yml .yardopts .github].map { |name| File.join(ROOT, name) }, mkdir("check out"))
    lint = rake("lint")
    assert_equal [1, "rake lint: failed: rubocop, clang-format\n"], [lint.exitstatus, lint.err], lint
    install = %r{run `bin/setup --tools` \(it needs the network\), or `bundle install`$}
    assert_match(/^rubocop: rubocop [\d.]+ is not installed: #{install}/, lint.out)
    assert_match(/^clang-format: clang-format 14 is not installed: install Debian's package clang-format-14, or /, lint.out)
    assert_match(/^workflows: nothing to report\nworkflows: actionlint is not installed: run /, lint.out)

    docs = rake("docs")
    assert_equal [1, ""], [docs.exitstatus, docs.out], docs
    assert_match(/\Arake docs: yard [\d.]+ is not installed: #{install}/, docs.err)
  end

  private

  def rake(task)
    rake = Gem::Specification.find_by_name("rake")
    nothing = { "PATH" => mkdir("nothing"), "RUBYOPT" => nil, "GEM_HOME" => mkdir("no gems"), "GEM_PATH" => path("no gems") }
    library = File.join(rake.full_gem_path, "lib")
    run_command(RUBY, "-I", library, rake.bin_file("rake"), task, chdir: path("check out"), env: nothing)
  end
end

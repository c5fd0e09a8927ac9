# frozen_string_literal: true

# uses: doubles

require_relative "../test_helper"
require "json"
require "frugal/profile"

# `--by example`, with real runs of RSpec and minitest. What they print is the same without it.
class ExamplesTest < Frugal::TestCase
  RSPEC = Dir.glob("#{ROOT}/tmp/doubles/gems/{rspec-*,diff-lcs}-*/lib").map { |lib| "-I#{lib}" }
  MINITEST = $LOAD_PATH.grep(%r{/minitest-\d[^/]*/lib\z}).map { |lib| "-I#{lib}" }
  RUN_RSPEC = "require 'rspec/core'; exit RSpec::Core::Runner.run(ARGV)"
  TIMES = %r{[\d.]+ seconds?|in [\d.]+s|[\d.]+ (?:runs|assertions)/s|"(?:run_time|duration)":[\de.-]+}

  # A failure shows its whole backtrace.
  SPECS = {
    "spec/a_spec.rb" => <<~'RUBY',
      RSpec.describe "a" do
        around { |example| example.run }
        before(:all) { File.exist?("all") }
        it("asks") { 3.times { File.exist?("x") } }
        it("asks in a thread") { Thread.new { File.exist?("thread") }.join }
        it("fails") { warn caller.size; Integer("x") }
        it("waits") { skip }
      end
    RUBY
    "spec/b_spec.rb" => <<~'RUBY',
      require_relative "shared"
      RSpec.describe("b") { describe("inner") { it_behaves_like "a reader" } }
    RUBY
    "spec/shared.rb" => 'RSpec.shared_examples("a reader") { it("reads") { File.read("none") rescue 0 } }',
    "spec/c_spec.rb" => <<~'RUBY'
      RSpec.describe "c" do
        it("forks") { Process.wait(fork { File.exist?("forked"); exit! }) }
        it("starts") { system(RbConfig.ruby, "--disable-gems", "-e", "Process.wait(fork { File.exist?('started') })") }
        it("pipes") { IO.popen("test -e piped; :", &:read) }
        it("sees") { p ENV.keys.grep(/FRUGAL|LD_PRELOAD/), `env | grep -c FRUGAL_` }
      end
    RUBY
  }.freeze
  TESTS = <<~'RUBY'
    require "minitest/autorun"
    class ATest < Minitest::Test
      def method(*) = raise("the test's own")
      def test_asks = 3.times { File.exist?("x") }
      def test_fails = Integer(caller.size.to_s + "x")
      def test_nested
        Class.new(Minitest::Test) { def test_inner = File.exist?("inner") }.tap { |type| type.new("test_inner").run; type.new("test_inner") }
        File.exist?("outer")
      end
    end
    class ThreadsTest < Minitest::Test
      parallelize_me!
      5.times { |number| define_method("test_#{number}") { Thread.pass; File.exist?("parallel") } }
    end
    require "./b_test"
  RUBY

  def setup
    skip "the recorder needs MRI on a 64-bit Linux" unless Frugal::Profile::Run.supported?
  end

  def test_rspec
    groups, recording = rspec("--order", "rand:3")
    assert_equal [["./spec/a_spec.rb", 4], ["./spec/b_spec.rb", 1], ["./spec/c_spec.rb", 4]], runs(groups)
    assert_nil groups.last.name
    { "all" => "a", "x" => "a", "thread" => "a", "none" => "b", "forked" => "c", "started" => "c", "piped" => "c" }.each do |name, file|
      assert_equal ["./spec/#{file}_spec.rb"], recording.calls.select { |call| call.path == path(name) }.map(&:group).uniq, name
    end
    assert_nil recording.calls.find { |call| call.path == path("spec/a_spec.rb") }.group
    # RSpec raises for a skip, too.
    assert_equal [1, 2], groups.select { |group| group.name&.match?(/[ab]_spec/) }.map { |group| group.counts[:exceptions] }.sort
  end

  # Also the depth of the stack, the order, and the backtrace, in which RSpec hides nothing here.
  def test_rspec_prints_the_same
    [%w[--order rand:3 --format documentation], %w[--order defined --format json -b], %w[--dry-run], %w[--fail-fast -b]].each do |options|
      rspec(*options)
    end
  end

  # libc starts these itself. They see nothing of it in their environment.
  def test_programs_that_libc_starts
    write("starter.c", <<~'C')
      #include <stdio.h>
      #include <stdlib.h>
      int main(void) {
          int status = system("env | grep -c 'FRUGAL_\\|LD_PRELOAD'; test -e of_system; exit 0");
          FILE *pipe = popen("test -e of_popen", "r");
          return status || !pipe || pclose(pipe) < 0 || getenv("FRUGAL_GROUP");
      }
    C
    skip "there is no gcc" unless system("gcc", "-o", path("starter"), path("starter.c"), err: File::NULL)
    write("spec/starter_spec.rb", 'RSpec.describe("starter") { it("starts") { expect(system("./starter")).to be true } }')
    groups, recording = rspec("--default-path", "spec", files: %w[spec/starter_spec.rb])
    assert_equal [["./spec/starter_spec.rb", 1]], runs(groups)
    %w[of_system of_popen].each do |name|
      assert_equal ["./spec/starter_spec.rb"], recording.calls.select { |call| call.path == path(name) }.map(&:group), name
    end
  end

  def test_minitest
    write("a_test.rb", TESTS)
    write("b_test.rb", "class BTest < Minitest::Test\n  def test_b = 2.times { File.exist?('b') }\nend\n")
    command = [RUBY, "-W0", *MINITEST, "a_test.rb", "--seed", "3"]
    groups, recording = same_output(command)
    assert_equal [[path("b_test.rb"), 1], ["a_test.rb", 9]], runs(groups)
    { "x" => "a", "inner" => "a", "outer" => "a", "parallel" => "a", "b" => "b" }.each do |name, file|
      groups = recording.calls.select { |call| call.path == path(name) }.map(&:group).uniq
      assert_equal ["#{file}_test.rb"], groups.map { |group| group&.delete_prefix(path("")) }, name
    end
    assert_nil recording.calls.find { |call| call.path == path("a_test.rb") }.group
  end

  # The command line needs no option for it.
  def test_the_command
    skip "bin/setup --doubles" if RSPEC.size < 5
    SPECS.each { |name, code| write(name, code) }
    write("bin/rspec", RUN_RSPEC)
    result = run_command(RUBY, "#{ROOT}/exe/frugal", "profile", "--json", "r.json", "--", RUBY, "-W0", *RSPEC, "bin/rspec", "spec/a_spec.rb", chdir: tree)
    assert_equal 1, result.exitstatus, result
    assert_match(%r{^ *examples +calls/example .*\n +4 +\d.* \./spec/a_spec\.rb\n +- .* outside of examples\n}, result.err)
    assert_equal [["./spec/a_spec.rb", 4], [nil, nil]], JSON.parse(File.read(path("r.json")))["groups"].map { |group| group.values_at("group", "runs") }
  end

  private

  # @return [Array(Array<Frugal::Profile::Groups::Group>, Frugal::Profile::Recording)]
  def rspec(*options, files: SPECS.keys.grep(/_spec/))
    skip "bin/setup --doubles" if RSPEC.size < 5
    SPECS.each { |name, code| write(name, code) }
    same_output([RUBY, "-W0", *RSPEC, "-e", RUN_RSPEC, "--", *files, *options])
  end

  def runs(groups) = groups.filter_map { |group| group.name && [group.name, group.runs] }.sort

  def same_output(command)
    stock = run_command(*command, chdir: tree)
    recording = Frugal::Profile::Run.new(command, agent: :example, chdir: tree, in: File::NULL, out: path("out"), err: path("err")).call
    assert_equal [stock.exitstatus, *[stock.out, stock.err].map { |text| text.gsub(TIMES, "") }],
                 [recording.status.exitstatus, *%w[out err].map { |name| File.read(path(name)).gsub(TIMES, "") }]
    [Frugal::Profile::Groups.of(recording, :example), recording]
  end
end

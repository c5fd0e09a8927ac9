# frozen_string_literal: true

require "pty"
require_relative "../test_helper"
require_relative "../support/run/needs"
require_relative "../support/run/skips"
require_relative "../support/run/sources"

# The runner behind bin/test: what it selects, what it prints, and that no failure gets lost.
class TestRunTest < Frugal::TestCase
  RUN = File.join(ROOT, "test/run.rb")
  HEAD = "require #{File.join(ROOT, "test/test_helper.rb").dump}\n"

  def test_each_failure_the_time_of_the_leg_and_the_totals
    file = write("some_test.rb", "#{HEAD}#{<<~'RUBY'}")
      class SomeTest < Frugal::TestCase
        def test_passes = puts("printed\x1E by a test") || print("without an end")
        def test_fails = flunk("zebra \xFF")
        def test_raises = raise("giraffe")
        def test_skips = skip("there is no zebra\nhere")
        def test_skips_too = skip("there is no zebra")
        def test_skips_for_another_reason = skip("giraffe")
      end
    RUBY
    result = run_tests(file, "--seed", "7")
    assert_equal 1, result.exitstatus, result
    assert_equal "1 passed, 2 failed, 3 skipped", result.out.lines.last.chomp
    assert_match(/^all legs took \d+ s, and \d+ s of processor time\nskipped 2: there is no zebra\nskipped 1: giraffe\nfailed: /n, result.out.b)
    assert_match(/^FAILED in C engine: Failure:\nSomeTest#test_fails \[.*some_test.rb:4\]:\nzebra \xFF\n\(seed 7\)$/n, result.out.b)
    assert_match(/^FAILED in C engine: Error:\nSomeTest#test_raises:\nRuntimeError: giraffe\n/n, result.out.b)
    assert_match(/^C engine: 1 passed, 2 failed, 3 skipped in \d+ s$/n, result.out.b)
    assert_equal(%w[fails raises], result.out.b.scan(/^failed: C engine \(SomeTest#test_(\w+)\)$/).flatten.sort) # again, at the end
    assert_match(/^failed: .*^  SomeTest#test_fails \[.*some_test.rb:4\]:\n  zebra \xFF\n  \(seed 7\)$/mn, result.out.b)
    assert_match(/^printed\x1E by a test$.*^without an end$/mn, result.out.b)
    refute_includes result.out.b, "\x1B".b
  end

  def test_a_failure_is_printed_when_it_happens
    file = write("some_test.rb", "#{HEAD}#{<<~'RUBY'}")
      class SomeTest < Frugal::TestCase
        def self.test_order = :alpha
        def test_a = flunk("zebra")
        def test_b = (sleep 0.01 until File.exist?(ENV.fetch("SEEN")))
      end
    RUBY
    out, _, pid = PTY.spawn({ "SEEN" => path("seen") }, RUBY, RUN, file)
    assert(out.each_line.find { |line| line.include?("FAILED in C engine") })
    assert(out.each_line.find { |line| line =~ /^\d+ s: 0 passed, 1 failed; running: C engine \(SomeTest#test_b\)\r$/ }) # the totals
    write("seen")
    assert(out.each_line.find { |line| line == "1 passed, 1 failed\r\n" })
    assert_equal 1, Process.wait2(pid).last.exitstatus
  end

  def test_a_leg_that_dies_is_a_failure
    { "warn('last words') || Process.kill(:KILL, Process.pid)" => /ended with .*SIGKILL.* in DyingTest#test_a; its last output:\nlast words$/,
      "exit!(0)" => /ended with .* exit 0 in DyingTest#test_a/, "at_exit { exit!(3) }" => /ended with .* exit 3; its last output/ }.each do |code, words|
      file = write("dying_test.rb", "#{HEAD}class DyingTest < Frugal::TestCase; def test_a = #{code}; end")
      result = run_tests(file)
      assert_equal 1, result.exitstatus, result
      assert_match words, result.out
      assert_match(/^\d passed, 1 failed$/, result.out.lines.last)
    end
    result = run_tests(write("broken_test.rb", "nonsense"))
    assert_match(/FAILED: C engine ended with .*; its last output:\n.*undefined local variable or method `?'?nonsense/, result.out)
    assert_equal "0 passed, 1 failed\n", result.out.lines.last
  end

  # A process that a test has left behind keeps the output of its leg open.
  def test_a_process_that_is_left_behind_does_not_hold_the_run
    file = write("some_test.rb", "#{HEAD}class SomeTest < Frugal::TestCase; def test_a = File.write(ENV['PIDS'], spawn('exec sleep 600').to_s); end")
    assert_equal "1 passed, 0 failed\n", run_tests(file, env: { "PIDS" => path("pid") }).out.lines.last
  ensure
    Process.kill(:KILL, File.read(path("pid")).to_i)
  end

  def test_skips_are_those_of_the_list
    count = lambda do |skipped|
      TestRun::Skips.new(path("skips.yml")).tap { |skips| skipped.each { |title, reason, number| skips.add(title, reason.b, number) } }
    end
    skipped = [["Costs", "no żebra", 2], ["Costs", "giraffe", 1], ["Fuzzers", "no żebra", 1]]
    count.call(skipped).write(%w[Costs])
    assert_includes File.read(path("skips.yml")), "no żebra: 2\n"
    assert_empty count.call(skipped).differences(%w[Costs])
    assert_equal ["Fuzzers: 1 skipped, and 0 in test/skips.yml: no żebra"], count.call(skipped).differences(%w[Costs Fuzzers])
    assert_equal ["Costs: 1 skipped, and 2 in test/skips.yml: no żebra"], count.call([["Costs", "no żebra", 1], skipped[1]]).differences(%w[Costs])

    count.call(skipped).write(%w[Fuzzers])
    assert_empty count.call(skipped).differences(%w[Costs Fuzzers]) # the other leg is still in it
    assert_match(/--list-skips goes with --all/, run_tests("--list-skips", write("some_test.rb", "")).err)
  end

  def test_the_tests_of_a_file_of_lib
    { "session/redis/upkeep.rb" => %w[shared/session_redis], "dropin/rake/patches.rb" => %w[dropin/rake], "cli/walk/text.rb" => %w[cli/walk],
      "entries/folder.rb" => %w[crash/entries shared/entries], "native/pure/turns.rb" => %w[shared/wait], "../frugal.rb" => %w[unit/signatures],
      "profile/findings/check_then_use.rb" => %w[unit/profile_findings/check_then_use], "budget" => %w[cli/budget unit/budget] }.each do |source, tests|
      found = TestRun::Sources.tests_of(File.expand_path("#{LIB}/frugal/#{source}"))
      assert_equal(tests.map { |test| "#{ROOT}/test/#{test}_test.rb" }, found.sort, source)
    end
    sources = Dir.glob("#{LIB}/**/*.rb")
    refute_empty sources
    assert_empty(sources.select { |source| TestRun::Sources.tests_of(source).empty? })
    result = run_tests("#{LIB}/frugal/platform.rb", "-n", "/no_such_test/") # it has no tests of its own, but those of native
    assert_match(/^C engine: 0 passed/, result.out, result)
  end

  def test_options_and_wrong_usage
    file = write("some_test.rb", "#{HEAD}class SomeTest < Frugal::TestCase; def test_a = nil; def test_b = nil; end")
    result = run_tests(file, "-v", "-n", "/_b/")
    assert_match(/^SomeTest#test_b = \d+\.\d\d s, processor \d+\.\d\d s$/, result.out)
    assert_equal "1 passed, 0 failed\n", result.out.lines.last
    [%w[test/unit/zebra_test.rb], %w[zebra -n /x/], %w[-n /x/ zebra_test.rb]].each do |names|
      result = run_tests(*names)
      assert_equal [1, "no such file or folder: #{names.grep(/zebra/).first}\n", ""], [result.exitstatus, result.err, result.out]
    end
    result = run_tests(write("notes.txt", "zebra"), "-n", "/x/") # not all tests
    assert_equal "0 passed, 1 failed\n", result.out.lines.last
  end

  def test_a_pattern_that_is_a_folder
    file = write("some_test.rb", "#{HEAD}class SomeTest < Frugal::TestCase; def test_home = nil; def test_b = nil; end")
    %w[-n --name].each { |option| assert_equal "1 passed, 0 failed", run_tests(file, option, "/home/").out.lines.last.chomp }
  end

  # What a file needs stands in its comments and in those of the files that it requires.
  def test_needs
    needs = ->(file) { [TestRun::Needs.of("#{ROOT}/test/#{file}"), TestRun::Needs.all("#{ROOT}/test/#{file}").sort] }
    assert_equal [[], []], needs["unit/layers_test.rb"]
    assert_equal [%w[stores], %w[redis stores]], needs["shared/store_test.rb"]
    assert_equal [%w[redis stores], %w[redis stores]], needs["shared/store_redis_test.rb"].map(&:sort)
    assert_equal [%w[browser], %w[browser]], needs["cli/profile_page_test.rb"]
    parts = File.read("#{ROOT}/bin/setup")[/^all_parts="(.*)"$/, 1].split
    named = Dir.glob("#{ROOT}/test/**/*_test.rb").grep_v(%r{/corpus/}).flat_map { |file| TestRun::Needs.all(file) }.uniq
    assert_equal parts.sort, named.sort
  end

  # A file whose tests are skipped without a part of bin/setup says so.
  def test_what_a_file_asks_for_it_needs
    Dir.glob("#{ROOT}/test/{unit,shared,dropin,cli,core,fuzz,profile,integration,jruby,style}/*_test.rb").each do |file|
      next if file.end_with?("/setup_test.rb", "/tooling_test.rb", "/test_run_test.rb")

      asked = File.read(file).scan(%r{\bskip\b[^"\n]*"[^"\n]*bin/setup ((?:--\w+ ?)+)}).flat_map { |(words)| words.scan(/\w+/) }
      assert_empty asked - TestRun::Needs.all(file), file
    end
  end

  private

  def run_tests(*arguments, env: {})
    run_command(RUBY, "-w", RUN, *arguments, env: env)
  end
end

# frozen_string_literal: true

require "json"
require_relative "../test_helper"

# Arguments of any bytes give a correct result, or an error message and the usual exit status; never a backtrace.
class HostileArgumentsTest < Frugal::TestCase
  INVALID = "b\xFFd".b
  NAMES = [INVALID, "\u00FCml".b, "a\nb".b, "-x".b, "\e[31m".b].freeze
  # Names that no file can have.
  NO_NAMES = ["".b, ("n" * 300).b, ("d/" * 3000).b].freeze
  LOCALES = %w[C C.UTF-8].freeze

  def test_walk
    each do |name, locale|
      write("#{name}/f")
      assert_equal "#{name}/f\0".b, run_frugal(0, locale, "walk", "--null", "--", name).out.b
      assert_equal "1\n", run_frugal(0, locale, "walk", "--count", "--", name).out
      line = JSON.parse(run_frugal(0, locale, "walk", "--json", "--", name).out.lines.last)
      assert_equal "#{name}/f".b, line["base64"] ? line["base64"].unpack1("m") : line["path"].b
      assert_equal "./#{name}\0".b, run_frugal(0, locale, "walk", "--null", "--glob=#{name}").out.b unless name.start_with?("\e")
      assert_includes run_frugal(0, locale, "walk", "--null", "--prune=#{name}").out.b, "./#{name}\0".b
      assert_empty run_frugal(0, locale, "walk", "--ext=#{name}").out
      assert_message_contains name, run_frugal(2, locale, "walk", "--follow=#{name}")
      assert_message_contains name, run_frugal(2, locale, "walk", "--x#{name}")
    end
  end

  def test_store
    each do |name, locale|
      write("#{name}.store", Marshal.dump({ "a" => 1 }))
      %w[stats verify compact].each do |command|
        assert_includes run_frugal(0, locale, "store", command, "--", "#{name}.store").out.b, name
        in_json = run_frugal(0, locale, "store", command, "--json", "--", "#{name}.store")
        assert_equal "#{name}.store".b, path_in(in_json)
      end
      assert_equal %({"key":"a","value":1}\n), run_frugal(0, locale, "store", "dump", "--", "#{name}.store").out
      converted = run_frugal(0, locale, "store", "convert", "--force", "--", "#{name}.store", "to-#{name}".b)
      assert_includes converted.out.b, [name, ".store \u2192 to-".b, name].join
      converted = run_frugal(0, locale, "store", "convert", "--json", "--force", "--", "#{name}.store", "to-#{name}".b)
      assert_equal "to-#{name}".b, path_in(converted, "to")
      [["store", name], ["store", "stats", "--x#{name}"], ["store", "stats", "-r", name, "none"]].each do |argv|
        assert_message_contains name, run_frugal(2, locale, *argv)
      end
      %w[--engine --serializer].each do |option|
        failed = run_frugal(nil, locale, "store", "convert", option, name, "--", "#{name}.store", "other")
        assert_predicate failed.err, :valid_encoding?
      end
    end
  end

  def test_doctor_bench_help_and_unknown_commands
    each do |name, locale|
      [["doctor", "--", name], ["doctor", "--x#{name}"], ["bench", name], ["bench", "pstore", "--x#{name}"],
       ["completions", name], ["help", name], ["x#{name}"], ["--x#{name}"]].each do |argv|
        assert_message_contains name, run_frugal(2, locale, *argv)
      end
    end
  end

  def test_compare
    each do |name, locale|
      %w[--only --except --pairs --x].each do |option|
        assert_message_contains name, run_frugal(2, locale, "compare", "#{option}=#{name}", "--", "true")
      end
      assert_message_contains name, run_frugal(2, locale, "compare", "--json", "none/#{name}", "--", "true")
      assert_message_contains name, run_frugal(127, locale, "compare", "--", "none#{name}")
    end
    report = "j-#{INVALID}".b
    options = ["-n1", "--warmup=0", "--no-file-calls", "--json", report]
    run_frugal(0, "C", "compare", *options, "--", "printf", "%s", INVALID)
    assert_equal "compared", JSON.parse(File.read(path(report)))["outcome"]
  end

  def test_budget
    each do |name, locale|
      write("#{name}.yml", "# \xFF\nstat: 1\n".b)
      %w[--max-stats --x].each { |option| assert_message_contains name, run_frugal(2, locale, "budget", "#{option}=#{name}", "--", "true") }
      ["none/#{name}", "#{name}.yml"].each { |file| assert_message_contains name, run_frugal(2, locale, "budget", "--file", file, "--", "true") }
      assert_message_contains name, run_frugal(2, locale, "budget", "--json", "none/#{name}", "--max-calls", "1", "--", "true")
      assert_message_contains name, run_frugal(127, locale, "budget", "--max-calls", "1", "--", "none#{name}")
      next unless recorder?

      run_frugal(0, locale, "budget", "--file", "to-#{name}".b, "--update", "--json", "json-#{name}".b, "--", "printf", "%s", name)
      assert_equal true, JSON.parse(File.read(path("json-#{name}".b)))["within"]
      assert_equal name, run_frugal(0, locale, "budget", "--file", "to-#{name}".b, "--", "printf", "%s", name).out.b
      assert_equal "#{name}.yml\n".b, run_frugal(1, locale, "budget", "--max-calls=0", "--", "ls", "-d", "--", "#{name}.yml").out.b
    end
  end

  def test_profile
    each do |name, locale|
      %w[--top --by --x].each { |option| assert_message_contains name, run_frugal(2, locale, "profile", "#{option}=#{name}", "--", "true") }
      assert_message_contains name, run_frugal(2, locale, "profile", "--verify", "--only", name, "--", "true")
      assert_message_contains name, run_frugal(2, locale, "profile", "--html", "none/#{name}", "--", "true")
      assert_message_contains name, run_frugal(2, locale, "profile", "--diff", "none#{name}", "other")
      assert_message_contains name, run_frugal(127, locale, "profile", "--", "none#{name}")
    end
  end

  def test_run
    each do |name, locale|
      assert_equal name, run_frugal(0, locale, "run", "--", "printf", "%s", name).out.b
      assert_message_contains name, run_frugal(127, locale, "run", "--", "none#{name}")
      assert_message_contains name, run_frugal(2, locale, "run", "--only", "x#{name}", "true")
    end
  end

  def test_names_that_no_file_can_have
    NO_NAMES.zip(LOCALES.cycle).first(QUICK ? 1 : NO_NAMES.size).each do |name, locale|
      run_frugal(1, locale, "walk", "--", name)
      run_frugal(1, locale, "store", "stats", "--", name)
      run_frugal(2, locale, "store", name)
      run_frugal(2, locale, "bench", name)
      run_frugal(2, locale, "doctor", "--", name)
      run_frugal(2, locale, "compare", "--only=x#{name}", "--", "true")
      run_frugal(127, locale, "compare", "--", name)
      run_frugal(2, locale, "budget", "--file=#{name}", "--", "true")
      run_frugal(2, locale, "profile", "--json=#{name}", "--", "true")
      run_frugal(127, locale, "profile", "--", name)
    end
  end

  private

  def recorder? = File.exist?("#{LIB}/frugal/native/#{Frugal::Platform::ABI}/recorder.so")

  # Invalid UTF-8 in both locales, the other names in one of them.
  # Two of them, another second one for each test; all with bin/test --all; the first one with bin/test.
  def each(&block)
    names = [[INVALID, LOCALES.last], *NAMES.zip(LOCALES.cycle)]
    (ALL ? names : [names[0], names[1 + (name.sum % NAMES.size)]]).first(QUICK ? 1 : names.size).each(&block)
  end

  # Asserts that there is no backtrace, and that stderr is empty unless the command fails.
  #
  # @param status [Integer, nil] the expected exit status; nil for any except 0
  # @return [Subprocess::Result]
  def run_frugal(status, locale, *argv)
    environment = { "LC_ALL" => locale, "RUBYOPT" => nil }
    result = run_command(RUBY, File.join(ROOT, "exe/frugal"), *argv, chdir: tree, env: environment)
    refute_match(/\.rb:\d+:in |\((?:\w+::)*\w+Error\)/n, result.err.b, argv.inspect)
    details = [argv, result.exitstatus, result.err.b].inspect
    status ? assert_equal(status, result.exitstatus, details) : refute_predicate(result, :success?, details)
    assert_equal result.success?, result.err.empty?, details unless %w[compare budget].include?(argv.first)
    result
  end

  # Asserts that the message contains the bytes of the argument, up to its first line break.
  def assert_message_contains(name, result)
    assert_includes result.err.b, name[/\A[^\n]+/n]
  end

  def path_in(result, member = "path")
    object = JSON.parse(result.out.lines.last)
    bytes = object[member == "path" ? "base64" : "#{member}_base64"]
    bytes ? bytes.unpack1("m") : object.fetch(member).b
  end
end

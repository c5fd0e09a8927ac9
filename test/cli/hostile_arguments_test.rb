# frozen_string_literal: true

require "json"
require_relative "../test_helper"

# Arguments of any bytes: a correct result, or one clear line and the usual status, never a backtrace.
class HostileArgumentsTest < Frugal::TestCase
  BROKEN = "b\xFFd".b
  NAMES = [BROKEN, "\u00FCml".b, "a\nb".b, "-x".b, "\e[31m".b].freeze
  # Those that no file has.
  NO_NAMES = ["".b, ("n" * 300).b, ("d/" * 3000).b].freeze
  LOCALES = %w[C C.UTF-8].freeze

  def test_walk
    each do |name, locale|
      write("#{name}/f")
      assert_equal "#{name}/f\0".b, ask(0, locale, "walk", "--null", "--", name).out.b
      assert_equal "1\n", ask(0, locale, "walk", "--count", "--", name).out
      line = JSON.parse(ask(0, locale, "walk", "--json", "--", name).out.lines.last)
      assert_equal "#{name}/f".b, line["base64"] ? line["base64"].unpack1("m") : line["path"].b
      assert_equal "./#{name}\0".b, ask(0, locale, "walk", "--null", "--glob=#{name}").out.b unless name.start_with?("\e")
      assert_includes ask(0, locale, "walk", "--null", "--prune=#{name}").out.b, "./#{name}\0".b
      assert_empty ask(0, locale, "walk", "--ext=#{name}").out
      assert_told name, ask(2, locale, "walk", "--follow=#{name}")
      assert_told name, ask(2, locale, "walk", "--x#{name}")
    end
  end

  def test_store
    each do |name, locale|
      write("#{name}.store", Marshal.dump({ "a" => 1 }))
      %w[stats verify compact].each do |command|
        assert_includes ask(0, locale, "store", command, "--", "#{name}.store").out.b, name
        assert_equal "#{name}.store".b, path_in(ask(0, locale, "store", command, "--json", "--", "#{name}.store"))
      end
      assert_equal %({"key":"a","value":1}\n), ask(0, locale, "store", "dump", "--", "#{name}.store").out
      converted = ask(0, locale, "store", "convert", "--force", "--", "#{name}.store", "to-#{name}".b)
      assert_includes converted.out.b, [name, ".store \u2192 to-".b, name].join
      converted = ask(0, locale, "store", "convert", "--json", "--force", "--", "#{name}.store", "to-#{name}".b)
      assert_equal "to-#{name}".b, path_in(converted, "to")
      [["store", name], ["store", "stats", "--x#{name}"], ["store", "stats", "-r", name, "none"]].each { |argv| assert_told name, ask(2, locale, *argv) }
      %w[--engine --serializer].each { |option| assert_predicate ask(nil, locale, "store", "convert", option, name, "--", "#{name}.store", "other").err, :valid_encoding? }
    end
  end

  def test_doctor_bench_help_and_what_is_no_command
    each do |name, locale|
      [["doctor", "--", name], ["doctor", "--x#{name}"], ["bench", name], ["bench", "pstore", "--x#{name}"], ["help", name], ["x#{name}"], ["--x#{name}"]].each do |argv|
        assert_told name, ask(2, locale, *argv)
      end
    end
  end

  def test_compare
    each do |name, locale|
      %w[--only --except].each { |option| assert_told name, ask(2, locale, "compare", "#{option}=#{name}", "--", "true") }
      %w[--pairs --x].each { |option| assert_told name, ask(2, locale, "compare", "#{option}=#{name}", "--", "true") }
      assert_told name, ask(2, locale, "compare", "--json", "none/#{name}", "--", "true")
      assert_told name, ask(127, locale, "compare", "--", "none#{name}")
    end
    report = "j-#{BROKEN}".b
    ask(0, "C", "compare", "-n1", "--warmup=0", "--no-system-calls", "--json", report, "--", "printf", "%s", BROKEN)
    assert_equal "compared", JSON.parse(File.read(path(report)))["outcome"]
  end

  def test_run
    each do |name, locale|
      assert_equal name, ask(0, locale, "run", "--", "printf", "%s", name).out.b
      assert_told name, ask(127, locale, "run", "--", "none#{name}")
      assert_told name, ask(2, locale, "run", "--only", "x#{name}", "true")
    end
  end

  def test_names_that_no_file_has
    NO_NAMES.zip(LOCALES.cycle).each do |name, locale|
      ask(1, locale, "walk", "--", name)
      ask(1, locale, "store", "stats", "--", name)
      ask(2, locale, "store", name)
      ask(2, locale, "bench", name)
      ask(2, locale, "doctor", "--", name)
      ask(2, locale, "compare", "--only=x#{name}", "--", "true")
      ask(127, locale, "compare", "--", name)
    end
  end

  private

  # Broken bytes in both locales, the others in one of them.
  def each(&block) = [[BROKEN, LOCALES.last], *NAMES.zip(LOCALES.cycle)].each(&block)

  # @param status [Integer, nil] nil: any but 0
  # @return [Subprocess::Result] of a run without a backtrace; that says something on stderr only if it fails
  def ask(status, locale, *argv)
    result = run_command(RUBY, File.join(ROOT, "exe/frugal"), *argv, chdir: tree, env: { "LC_ALL" => locale, "RUBYOPT" => nil })
    refute_match(/\.rb:\d+:in |\((?:\w+::)*\w+Error\)/n, result.err.b, argv.inspect)
    said = [argv, result.exitstatus, result.err.b].inspect
    status ? assert_equal(status, result.exitstatus, said) : refute_predicate(result, :success?, said)
    assert_equal result.success?, result.err.empty?, said unless argv.first == "compare"
    result
  end

  # The argument as it was given, byte for byte; up to a line break, where what is said begins another line.
  def assert_told(name, result)
    assert_includes result.err.b, name[/\A[^\n]+/n]
  end

  def path_in(result, member = "path")
    object = JSON.parse(result.out.lines.last)
    bytes = object[member == "path" ? "base64" : "#{member}_base64"]
    bytes ? bytes.unpack1("m") : object.fetch(member).b
  end
end

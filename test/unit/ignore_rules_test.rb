# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/ignore_generator"
require_relative "../support/ignore_patterns"
require "frugal/native/pure/ignore_rules"

# The rules of .gitignore files: the C and the pure implementation give the same verdicts as git.
#
#   IGNORE_WORLDS=5000 IGNORE_SEED=7 ruby -w -Ilib -Itest test/unit/ignore_rules_test.rb -n /random/
class IgnoreRulesTest < Frugal::TestCase
  EXTENSION = File.join(ROOT, "ext/frugal")
  WORLDS = Integer(ENV.fetch("IGNORE_WORLDS", ALL ? 120 : 40))
  SEED = Integer(ENV.fetch("IGNORE_SEED", Random.new_seed % 1_000_000_000))
  VERDICTS = { "s" => nil, "o" => :out, "i" => :in }.freeze
  BATCH = 200 # worlds that are on the disk at a time

  def setup
    skip "needs git" unless system("git", "--version", out: File::NULL, err: File::NULL)
  end

  def test_listed_patterns
    worlds = IgnorePatterns::ALL.map { |bytes, names, _| IgnoreWorld.new(names.map(&:b), { "" => bytes.b }) }
    verdicts = check(worlds)
    IgnorePatterns::ALL.zip(verdicts) do |(bytes, _, out), found|
      assert_equal out.map(&:b).sort, found.filter_map { |path, verdict| path if verdict == :out }.sort, bytes.inspect
    end
  end

  # Each byte that a name may have is a name, which is matched with each character class, and without one.
  def test_every_byte_with_every_character_class
    names = ((1..255).to_a - [46, 47]).map { |byte| byte.chr } + %w[a. a-]
    classes = %w[alnum alpha blank cntrl digit graph lower print punct space upper xdigit]
    patterns = classes.map { |name| "[[:#{name}:]]" } +
               ["?", "[![:space:]]", "[\x01-\x7F]", "[^\x80-\xFF]", "a[[:punct:]]"]
    check(patterns.map { |pattern| IgnoreWorld.new(names, { "" => pattern.b }) })
  end

  def test_the_deepest_rules_take_precedence_and_exclude_is_last
    rules = { "" => "*.o\n!in.o\n/d/e/x\n", "d" => "!a.o\nin.o\n", "d/e" => "!x\n",
              IgnoreWorld::EXCLUDE => "*.c\nd/b.h\n!d/a.o\nout/\nlink/\n" }
    names = %w[a.o in.o b.c d/a.o d/b.o d/in.o d/b.h d/e/x d/e/a.o d/e/b.h out/a link]
    found = check([IgnoreWorld.new(names, rules, links: %w[link])]).first # a link to a directory is not a directory
    assert_equal %w[a.o b.c d/b.h d/b.o d/in.o out out/a], found.select { |_, verdict| verdict == :out }.keys.sort
    assert_equal %w[d/a.o d/e/a.o d/e/x in.o], found.select { |_, verdict| verdict == :in }.keys.sort
  end

  # git takes exponential time for these patterns, so it is not run.
  def test_no_pattern_takes_exponential_time
    text = "#{"a" * 200}/" * 15 + "a" * 200
    stars = "#{"*a" * 60}b"
    mismatches = [stars, "**/#{stars}", "#{"**/a*" * 40}/b", "x/#{stars}", "*/#{"**/*a*" * 30}b"]
    matches = ["**/#{"*a" * 60}", "*/**/#{"a*" * 60}a"]
    questions = (mismatches + matches).map { |bytes| [bytes, text, false] }
    assert_equal [nil] * 5 + [:out] * 2, verdicts_of_both(questions)
  end

  def test_random_trees
    puts "\nignore rules: IGNORE_SEED=#{SEED} IGNORE_WORLDS=#{WORLDS}"
    generator = IgnoreGenerator.new(SEED, disputed: IgnoreWorld.disputed?(path("disputed")))
    questions = 0
    found = Array.new(WORLDS) { generator.world }.each_slice(BATCH).flat_map do |worlds|
      questions += worlds.sum { |world| world.questions.size }
      check(worlds).flat_map(&:values)
    end.tally
    puts "ignore rules: #{questions} questions, verdicts: #{found}" if ENV["IGNORE_WORLDS"]
    assert_operator found.fetch(:out), :>, WORLDS
    assert_operator found.fetch(:in), :>, WORLDS / 2
    assert_operator found.fetch(nil), :>, WORLDS
  end

  private

  # Asserts that git and both implementations give the same verdicts.
  #
  # @return [Array<Hash>] the verdicts of each world
  def check(worlds)
    answers = worlds.flat_map(&:questions).uniq.then { |questions| questions.zip(verdicts_of_both(questions)).to_h }
    worlds.each_with_index.map do |world, index|
      root = path("world#{index}")
      world.build(root)
      actual = world.verdicts { |*question| answers.fetch(question) }
      expected = world.git_verdicts
      differing = actual.reject { |path, verdict| expected[path] == verdict }.keys
      assert_equal expected, actual, -> { "#{differing}\n#{world}" }
      assert_equal world.git_files, world.files(actual), world
      FileUtils.remove_entry(root)
      actual
    end
  end

  # @return [Array<Symbol, nil>] the verdicts, which are the same in C and Ruby
  def verdicts_of_both(questions)
    pure = verdicts_of_ruby(questions)
    verdicts_of_c(questions).zip(pure, questions) do |c, ruby, question|
      assert(c == ruby, "C: #{c.inspect}, Ruby: #{ruby.inspect}: #{question}")
    end
    pure
  end

  def verdicts_of_ruby(questions)
    rules = Hash.new { |all, bytes| all[bytes] = Frugal::Native::Pure::IgnoreRules.parse(bytes) }
    questions.map { |bytes, path, directory| rules[bytes].match(path, path[%r{[^/]+\z}n], directory) }
  end

  def verdicts_of_c(questions)
    by_rules = questions.slice_when { |one, two| one[0] != two[0] }
    result = run_command(driver, stdin: by_rules.map { |same| driver_input(same) }.join)
    assert result.success?, result.err
    assert_equal questions.size, result.out.size
    result.out.each_char.map { |letter| VERDICTS.fetch(letter) }
  end

  # The input of the driver for questions about the same rules.
  def driver_input(questions)
    rules = questions.first.first
    questions.inject("rules #{rules.bytesize}\n".b << rules) do |text, (_, path, directory)|
      text << "#{directory ? "folder" : "path"} #{path.bytesize}\n" << path
    end
  end

  def driver
    @driver ||= path("driver").tap do |program|
      result = run_command(ENV["CC"] || RbConfig::CONFIG["CC"].split.first, "-std=gnu11", "-g", "-O1",
                           "-Wall", "-Wextra", "-Werror", "-fsanitize=address,undefined", "-fno-sanitize-recover=all",
                           "-I", EXTENSION, File.join(ROOT, "test/core/ignore_rules_driver.c"),
                           *Dir.glob(File.join(EXTENSION, "core/ignore/*.c")), "-o", program)
      assert result.success?, result
    end
  end
end

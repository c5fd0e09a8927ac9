# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/ignore_generator"
require_relative "../support/ignore_patterns"
require "frugal/native/pure/ignore_rules"

# The rules of a .gitignore, in C and in Ruby, against git.
#
#   IGNORE_WORLDS=5000 IGNORE_SEED=7 ruby -w -Ilib -Itest test/unit/ignore_rules_test.rb -n /random/
class IgnoreRulesTest < Frugal::TestCase
  CORE = File.join(ROOT, "ext/frugal/core")
  WORLDS = Integer(ENV.fetch("IGNORE_WORLDS", 120))
  SEED = Integer(ENV.fetch("IGNORE_SEED", Random.new_seed % 1_000_000_000))
  ANSWERS = { "s" => nil, "o" => :out, "i" => :in }.freeze
  BATCH = 200 # worlds that lie on the disk at a time

  def setup
    skip "git is not here" unless system("git", "--version", out: File::NULL, err: File::NULL)
  end

  def test_what_patterns_say
    worlds = IgnorePatterns::ALL.map { |bytes, names, _| IgnoreWorld.new(names.map(&:b), { "" => bytes.b }) }
    verdicts = check(worlds)
    IgnorePatterns::ALL.zip(verdicts) do |(bytes, _, out), found|
      assert_equal out.map(&:b).sort, found.filter_map { |path, verdict| path if verdict == :out }.sort, bytes.inspect
    end
  end

  # Each byte that a name may have, alone, by each class and by no class.
  def test_every_byte_in_every_class
    names = ((1..255).to_a - [46, 47]).map { |byte| byte.chr } + %w[a. a-]
    classes = %w[alnum alpha blank cntrl digit graph lower print punct space upper xdigit]
    sets = classes.map { |name| "[[:#{name}:]]" } + ["?", "[![:space:]]", "[\x01-\x7F]", "[^\x80-\xFF]", "a[[:punct:]]"]
    check(sets.map { |set| IgnoreWorld.new(names, { "" => set.b }) })
  end

  def test_the_deepest_rules_decide_and_exclude_comes_last
    rules = { "" => "*.o\n!in.o\n/d/e/x\n", "d" => "!a.o\nin.o\n", "d/e" => "!x\n", IgnoreWorld::EXCLUDE => "*.c\nd/b.h\n!d/a.o\nout/\nlink/\n" }
    names = %w[a.o in.o b.c d/a.o d/b.o d/in.o d/b.h d/e/x d/e/a.o d/e/b.h out/a link]
    found = check([IgnoreWorld.new(names, rules, links: %w[link])]).first # a link to a directory is none
    assert_equal %w[a.o b.c d/b.h d/b.o d/in.o out out/a], found.select { |_, verdict| verdict == :out }.keys.sort
    assert_equal %w[d/a.o d/e/a.o d/e/x in.o], found.select { |_, verdict| verdict == :in }.keys.sort
  end

  # git's own time for these is exponential, so it is not asked.
  def test_no_pattern_takes_exponential_time
    text = "#{"a" * 200}/" * 15 + "a" * 200
    stars = "#{"*a" * 60}b"
    questions = [stars, "**/#{stars}", "#{"**/a*" * 40}/b", "x/#{stars}", "*/#{"**/*a*" * 30}b"].map { |bytes| [bytes, text, false] } +
                [["**/#{"*a" * 60}", text, false], ["*/**/#{"a*" * 60}a", text, false]]
    assert_equal [nil] * 5 + [:out] * 2, same_answers(questions)
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

  # @return [Array<Hash>] the verdicts of each world, where git's and both of ours are the same
  def check(worlds)
    answers = worlds.flat_map(&:questions).uniq.then { |questions| questions.zip(same_answers(questions)).to_h }
    worlds.each_with_index.map do |world, index|
      root = path("world#{index}")
      world.build(root)
      ours = world.verdicts { |*question| answers.fetch(question) }
      git = world.git_verdicts
      assert_equal git, ours, -> { "#{ours.reject { |path, verdict| git[path] == verdict }.keys}\n#{world}" }
      assert_equal world.git_files, world.files(ours), world
      FileUtils.remove_entry(root)
      ours
    end
  end

  # @return [Array<Symbol, nil>] what both twins say
  def same_answers(questions)
    pure = answers_of_ruby(questions)
    answers_of_c(questions).zip(pure, questions) { |c, ruby, question| assert(c == ruby, "C: #{c.inspect}, Ruby: #{ruby.inspect}: #{question}") }
    pure
  end

  def answers_of_ruby(questions)
    rules = Hash.new { |all, bytes| all[bytes] = Frugal::Native::Pure::IgnoreRules.parse(bytes) }
    questions.map { |bytes, path, directory| rules[bytes].match(path, path[/[^\/]+\z/n], directory) }
  end

  def answers_of_c(questions)
    said = run_command(driver, stdin: questions.slice_when { |one, two| one[0] != two[0] }.map { |same| asked(same) }.join)
    assert said.success?, said.err
    assert_equal questions.size, said.out.size
    said.out.each_char.map { |letter| ANSWERS.fetch(letter) }
  end

  def asked(questions)
    rules = questions.first.first
    questions.inject("rules #{rules.bytesize}\n".b << rules) do |text, (_, path, directory)|
      text << "#{directory ? "folder" : "path"} #{path.bytesize}\n" << path
    end
  end

  def driver
    @driver ||= path("driver").tap do |program|
      built = run_command(ENV["CC"] || RbConfig::CONFIG["CC"].split.first, "-std=gnu11", "-g", "-O1", "-Wall", "-Wextra", "-Werror",
                          "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-I", CORE,
                          File.join(ROOT, "test/core/ignore_rules_driver.c"), *Dir.glob(File.join(CORE, "ignore_*.c")), "-o", program)
      assert built.success?, built
    end
  end
end

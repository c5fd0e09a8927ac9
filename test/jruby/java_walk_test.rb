# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/ignore_generator"
require_relative "jruby_case"
require_relative "walk_answers"

# The walk of the Java engine: the answers of this Ruby, on trees that JRuby's own methods cannot list; interrupts; a
# tree of 10,000 levels; its system calls, and those of the drop-ins for Dir and Find.
class JavaWalkTest < JRubyCase
  LISTING = %w[open getdents getdents close].freeze
  FOLLOWED = %w[open fstat getdents getdents close].freeze
  # Of a tree of four directories with seven entries, one of them a link to a directory that has one in it.
  COSTS = {
    "walk" => LISTING * 4, "count" => LISTING * 4, "stream" => LISTING * 4, "paths" => FOLLOWED * 6,
    "once" => (FOLLOWED * 4) + %w[open fstat close], "stat" => (LISTING * 4) + (["lstat"] * 7), "missing" => %w[open],
    "pruned" => LISTING * 2, "refresh" => %w[open fstat lstat lstat lstat close],
    "glob" => LISTING * 4, "base" => LISTING * 4, "braces" => LISTING * 4,
    # JRuby asks whether the root of Find exists.
    "find" => %w[stat lstat] + (LISTING * 4) + (%w[lstat] * 5), "find and prune" => %w[stat lstat] + (LISTING * 2) + (%w[lstat] * 3)
  }.freeze
  NAMES = ["a\xFF", "\xC3", "ü", "日本", "sp ace", "new\nline", "wow!", "a:b", "uri:", "-", ".c", ".h.c", "b.c", "b.o", "Z", "~",
           "aaaaaaaa", "aaaaaaaab", "aaaaaaa", "aaaaaaaa\x01", "aaaaaaaa\xFF"].map(&:b).freeze

  %w[C.UTF-8 C].each do |locale|
    define_method("test_answers_with_the_locale_#{locale}") do
      roots = [odd_names, *random_trees, *ignored_worlds]
      expected = WalkAnswers.of(roots)
      File.binwrite(path("answers"), Marshal.dump(expected))
      result = run_jruby("#{__dir__}/walks.rb", path("answers"), env: { LC_ALL: locale })
      assert_equal "#{expected.size} answers\n", result.out, result
    end
  end

  # The pure engine of this Ruby is the reference: its File.fnmatch takes any name.
  def test_patterns_of_prune
    random = Random.new(7)
    letters = ["a", "b", "é", "ü", "日", "\xFF", "\xC3", ".", "-", "]", "[", "\\", "*"].map(&:b)
    100.times { FileUtils.mkdir_p("#{tree.b}/names/x#{random_text(letters, random)}/below") }
    bits = ["*", "?", "[", "]", "[!", "[^", "-", "\\", "a", "b", "é", "日", "[a-c]", "[!a]", "[é-ü]", "[]a]", "[a-]", "\xFF"]
    patterns = Array.new(1000) { "x#{random_text(bits, random)}" }
    require "frugal/native/pure"
    expected = patterns.map { |pattern| [pattern, Frugal::Native::Pure::Tree.list(path("names"), { sort: true, prune: [pattern] }).size] }
    File.binwrite(path("expected"), Marshal.dump(expected))
    script = "Marshal.load(File.binread(ARGV[0])).each { |pattern, size| " \
             "found = Frugal.count(ARGV[1], prune: pattern); p [pattern, size, found] unless found == size }; puts :done"
    result = run_jruby("-e", script, path("expected"), path("names"))
    assert_equal "done\n", result.out, result
  end

  def test_few_descriptors
    bushy = mkdir("bushy")
    300.times { |i| mkdir("bushy/#{i % 10}/#{i % 30}/#{i}/x/y") }
    script = 'held = []; loop { held << File.open("/") } rescue held.pop(40).each(&:close); ' \
             "lists = [1, 4].map { |threads| Frugal.walk(ARGV[0], threads: threads).to_a }; " \
             "held.each(&:close); print lists.map(&:size), lists.uniq.size"
    result = run_command("sh", "-c", 'ulimit -n 200; exec "$@"', "sh", JRUBY, "-W0", "-I", LIB, "-rfrugal", "-e", script, bushy,
                         env: environment)
    assert_equal "#{[Frugal.count(bushy)] * 2}1", result.out, result
  end

  def test_interrupts_levels_and_changes
    mesh(9, 7)
    mkdir("churn")
    500.times { |i| write("wide/#{i % 40}/#{i % 3}/f#{i}") }
    deep(10_000)
    result = run_jruby("#{__dir__}/walk_hostile.rb", tree)
    assert_equal "done\n", result.out, result
  ensure
    run_command("rm", "-rf", path("deep")) # its paths are too long for FileUtils
  end

  def test_calls
    skip "strace is not installed" unless Cost::Strace.available?

    skip_where_times_are_not_trusted
    %w[a/1/x a/2 b/y].each { |name| write("tree/#{name}") } # root, a, a/1 and b
    write("tree/b/.gitignore", "*.o\n")
    symlink("a", "tree/link")
    above = path("tree/b").count("/")
    costs = COSTS.merge("gitignore" => %w[lstat readlink] + (["lstat"] * above) + LISTING + %w[open fstat read close])
    assert_equal costs.transform_values(&:tally), calls_of_walks
  end

  private

  def calls_of_walks
    trace = Frugal::Bench::MarkedTrace.new(path("trace"), separate_lstat: true)
    result = run_command("strace", "-f", *trace.options, JRUBY, NO_CGROUPS, "-I", LIB, "#{__dir__}/walk_costs.rb", path("tree"),
                         env: environment)
    assert result.success?, result
    trace.segments.group_by(&:first).transform_values { |all| all.map(&:last).min_by(&:size).tally }
  end

  def random_text(parts, random) = Array.new(random.rand(1..4)) { parts.sample(random: random) }.join

  def odd_names
    NAMES.each_with_index do |name, i|
      FileUtils.mkdir_p("#{mkdir("odd/d#{i % 3}").b}/#{name}") if i.odd?
      File.write("#{mkdir("odd").b}/#{name}", name)
    end
    NAMES.each { |name| File.write("#{path("odd/d1").b}/x#{name}", "") }
    path("odd")
  end

  # With links that lead up, across and nowhere, and a file that is not a file of rules.
  def random_trees
    Array.new(4) do |seed|
      random = Random.new(seed)
      folders = [mkdir("random#{seed}")]
      30.times { |i| folders << "#{folders.sample(random: random)}/d#{i}" }
      folders.each { |folder| FileUtils.mkdir_p(folder) && rand_files(folder, random) }
      4.times { |i| File.symlink([*folders, "..", "nowhere", "l#{i}"].sample(random: random), "#{folders.sample(random: random)}/l#{i}") }
      folders.first
    end
  end

  def rand_files(folder, random)
    random.rand(30).times { |i| File.write("#{folder}/#{%w[a b c . z].sample(random: random)}#{random.rand(99)}.#{%w[c o h].sample(random: random)}", "x" * i) }
  end

  def ignored_worlds
    Array.new(60) do |seed|
      IgnoreGenerator.new(seed, disputed: true).world.build(mkdir("world#{seed}"))
      path("world#{seed}")
    end
  end

  # Each layer multiplies the number of paths.
  def mesh(layers, width)
    layers.times do |layer|
      width.times do |i|
        mkdir("mesh/l#{layer}d#{i}")
        width.times { |j| symlink("../l#{layer + 1}d#{j}", "mesh/l#{layer}d#{i}/to#{j}") } if layer + 1 < layers
      end
    end
  end

  # Its paths are longer than the kernel takes.
  def deep(levels)
    mkdir("deep")
    script = "Dir.chdir(ARGV[0]); #{levels}.times { Dir.mkdir('l'); Dir.chdir('l') }"
    assert run_ruby("-e", script, path("deep")).success?
  end
end

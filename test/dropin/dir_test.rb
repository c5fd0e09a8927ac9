# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/fuzzers"

# The Dir drop-in: the patterns that it answers, those that it leaves to Ruby, and its cost.
class DirTest < Frugal::TestCase
  include Fuzzers

  def setup
    super
    skip "no compiled library here" unless Frugal::Native.engine_name == :c
  end

  def test_no_difference_on_random_trees
    result = fuzz("glob", "--cases", "1500")
    assert result.success?, result
    assert_match(/\Aseed #{SEED}\n15\d\d cases, \d{3,} answered by a walk\n\z/, result.out)
  end

  def test_on_off_and_where_it_stands_aside
    state = "p Frugal::Dropin.status.find { |status| status.name == :dir }.to_h.values_at(:state, :reason)"
    assert_equal "[:on, nil]\n", run_ruby("-rfrugal/dir", "-e", state).out
    assert_equal "[:off, \"FRUGAL_DIR=0\"]\n", run_ruby("-rfrugal/dir", "-e", state, env: { "FRUGAL_DIR" => "0" }).out
    assert_equal "[:aside, \"it pays only with the C or the Java engine\"]\n",
                 run_ruby("-rfrugal/dir", "-e", state, env: { "FRUGAL_ENGINE" => "pure" }).out
    redefined = "def Dir.glob(*) = [:mine]; require 'frugal/dir'; p Dir.glob('**/*'); #{state}"
    assert_equal "[:mine]\n[:aside, \"Dir.glob was redefined\"]\n", run_ruby("-W0", "-e", redefined).out
  end

  def test_frugal_run_waits_for_a_recursive_pattern
    write("a/b.c")
    script = "p Dir.glob('*'), Dir.method(:glob).owner; p Dir['**/*.c'], Dir.glob('**/*') { |path| p path };" \
             "p defined?(Frugal::Native)"
    stock = run_command(RUBY, "-w", "-e", script, chdir: tree)
    with = run_command(File.join(ROOT, "bin/frugal"), "run", "--", RUBY, "-w", "-e", script, chdir: tree)
    assert_equal stock.out.lines[0..-2], with.out.lines[0..-2]
    assert_empty with.err
    assert_equal %("constant"\n), with.out.lines.last
    none = run_command(File.join(ROOT, "bin/frugal"), "run", "--", RUBY, "-e",
                       "Dir.glob('*'); Dir['lib/*']; print defined?(Frugal::Native).inspect")
    assert_equal "nil", none.out
  end

  # Ruby converts the patterns in a list, but not one that is alone: so the list cannot be answered in parts.
  def test_a_list_with_a_pattern_in_another_encoding
    write("é/b.c")
    script = <<~'RUBY'
      Encoding.default_internal = ARGV[0]
      lists = ["é/*.c".encode("ISO-8859-1"), "é/*.c", "é/*.c".b, "*.x"].map { |pattern| ["**/*.c", pattern] }
      asks = lists.flat_map { |list| ["é", nil].flat_map { |base| [-> { Dir.glob(list, base: base) }, -> { Dir[*list, base: base] }] } }
      asks.each { |ask| p((ask.call.map { |path| [path, path.encoding] } rescue $!)) }
    RUBY
    [nil, "UTF-8", "ISO-8859-1"].each do |internal|
      stock = run_ruby("-W0", "-e", script, *internal, chdir: tree)
      assert_equal 16, stock.out.lines.size, stock
      assert_equal stock.out, run_ruby("-W0", "-rfrugal/dir", "-e", script, *internal, chdir: tree).out, internal.inspect
    end
  end

  # Under `frugal run` each kind of recursive call loads the drop-in.
  def test_frugal_run_loads_it_for_a_base_flags_an_array_and_a_pathname
    write("a/b.c")
    asks = ['Dir.glob("**/*.c", base: "a")', 'Dir.glob("**/*", File::FNM_DOTMATCH)', 'Dir.glob(["nope", "**/*.c"])',
            'Dir["nope", "a/**/*"]',
            'Pathname("a").glob("**/*")', 'Pathname.glob("**/*")']
    asks.each do |ask|
      script = "require 'pathname'; puts (#{ask}).join(','); print defined?(Frugal::Native).inspect"
      stock = run_command(RUBY, "-w", "-e", script, chdir: tree).out.lines
      result = run_command(File.join(ROOT, "bin/frugal"), "run", "--", RUBY, "-w", "-e", script, chdir: tree)
      assert_equal stock.first, result.out.lines.first
      assert_match(/b\.c/, stock.first)
      assert_equal %("constant"), result.out.lines.last, ask
      assert_empty result.err
    end
  end

  # The number of walks for each pattern; all results are the same as Ruby's.
  def test_number_of_walks
    %w[a/b.c a/b.h a/.d/x.c c.c .e].each { |name| write(name) }
    walks = {
      '"**/*.{c,h}"' => 1, '"**/*.c", base: "a"' => 1, '"**/*", base: Pathname("a")' => 1, '"{a,nope}/**/*.{c,h}"' => 2,
      '["**/*.c", "**/*.h"]' => 1, '["**/*.c", "c.c", "**/*c"]' => 2, '"**/*", File::FNM_DOTMATCH' => 1,
      '"*.c", base: "a"' => 1, '"*.c"' => 1, '"c.c"' => 1, '"a/b.c/"' => 0, '"b.c", base: "a"' => 0,
      '"**/*.c"' => 1, '"nope/**/*.c"' => 1, '"{a,nope}/**/*.c"' => 1, '"{a,nope}/**/*"' => 1, '"a/**/.c*"' => 0,
      '"**/*", base: "c.c"' => 1, '"**/*", base: ""' => 1, '"{a,b}*"' => 0, '["*.c", "*.h"]' => 0, '"**/*.{c,x/}"' => 0,
      '"**/*.c", File::FNM_DOTMATCH' => 0,
      '"**/*", File::FNM_DOTMATCH, sort: false' => 0, '"**/*", base: Dir.new("a")' => 0, '"/nope/**/*", base: "a"' => 0,
      '"**/{a,b*}"' => 0, '"{a/**/*.{c,h},nope/**/*}"' => 2, '"{a/**/*.{c,h},a/**/*.x}"' => 1, '"**/*.{c,{h,x}}"' => 1,
      "\"**/*.{c,\#{(\"aa\"..\"cz\").to_a.join(\",\")}}\"" => 0
    }
    script = +"require 'pathname'; walks = 0\n" \
              "walk = ->(call) { call.method_id == :list || " \
              "(%i[glob_below at_once].include?(call.method_id) && call.return_value.instance_of?(Array)) }\n" \
              "trace = TracePoint.new(:c_return) { |call| walks += 1 if walk.call(call) }\n"
    walks.each_key do |ask|
      script << "walks = 0; ours = trace.enable { Dir.glob(#{ask}) }\n" \
                "p [walks, ours == Dir.send(:frugal_stock_glob, #{ask})]\n"
    end
    result = run_command(RUBY, "-w", "-I", LIB, "-rfrugal/dir", "-e", script, chdir: tree)
    assert_empty result.err
    assert_equal walks.to_h { |ask, count| [ask, "[#{count}, true]"] },
                 walks.keys.zip(result.out.lines(chomp: true)).to_h
  end

  # Also under `frugal run`, where only the main Ractor loads the drop-in.
  def test_ractors
    write("a/b.rb")
    script = <<~'RUBY'
      ask = -> { Ractor.new { [Dir.glob("**/*"), Dir["{a,b}/**/*.{rb,c}", base: "."]] }.value }
      print ask.call, Dir.glob("**/*.rb"), ask.call
    RUBY
    expected = '[["a", "a/b.rb"], ["a/b.rb"]]["a/b.rb"][["a", "a/b.rb"], ["a/b.rb"]]'
    ruby = [RUBY, "-W0", RACTOR_VALUE]
    assert_equal expected, run_command(*ruby, "-I", LIB, "-rfrugal/dir", "-e", script, chdir: tree).out
    frugal = File.join(ROOT, "bin/frugal")
    assert_equal expected, run_command(frugal, "run", "--", *ruby, "-e", script, chdir: tree).out
  end

  # What the entry method calls before Ruby's own method: few, as a glob without "**/" gains nothing.
  def test_methods_called_for_a_pattern_without_folders_below
    script = <<~'RUBY'
      [nil, proc {}].each do |block|
        names = []
        TracePoint.new(:call, :c_call) { |call| names << call.method_id }.enable { Dir.glob("a", &block) }
        p names.grep(/\w/).first(2), names & %i[parts block_given?]
      end
    RUBY
    result = run_command(RUBY, "-w", "-I", LIB, "-rfrugal/dir", "-e", script, chdir: tree)
    assert_empty result.err
    assert_equal "[:glob, :at_once]\n[]\n" * 2, result.out
  end

  # Ruby raises for paths of more than PATH_MAX bytes.
  def test_paths_that_are_too_long
    script = <<~'RUBY'
      name = "n" * 240
      16.times { Dir.mkdir(name); Dir.chdir(name) }
      Dir.mkdir("short")
      (200..250).step(10) { |i| Dir.mkdir("m" * i); File.write("#{"m" * i}/#{"x" * 20}", "") }
      Dir.chdir("../" * 16)
      home = Dir.pwd
      outcomes = %i[frugal_stock_glob glob].map do |method|
        [nil, name, "#{name}/", "#{name}#{"/" * 30}", "./#{name}", home, "#{home}/"].flat_map do |base|
          ["**/*", "**/*.{c,x}", "{#{name},b}/**/*", "short/**/*", "#{([name] * 14).join("/")}/*"].map do |pattern|
            Dir.__send__(method, pattern, base: base).size
          rescue SystemCallError => e
            [e.class, e.message]
          end
        end
      end
      p outcomes.first == outcomes.last, outcomes.first.map(&:class).uniq.sort_by(&:name)
    RUBY
    result = run_command(RUBY, "-W0", "-I", LIB, "-rfrugal/dir", "-e", script, chdir: mkdir("long"))
    assert_equal "true\n[Array, Integer]\n", result.out, result
  ensure
    system("rm", "-rf", path("long")) # rm_rf leaves paths that are too long
  end

  # For a NUL or UTF-16, Ruby's message differs between a single pattern and a list of patterns.
  def test_invalid_patterns
    script = <<~'RUBY'
      [["**/*.c", "a\0b"], ["a\0b", "**/*.c"], ["**/*.c\0", "x"], ["**/*.c", "{a,\0}"], ["a\0b"], "**/*\0.c",
       ["**/*.c", "a".encode("UTF-16LE")], ["a".encode("UTF-16LE"), "**/*.c"]].each do |patterns|
        [-> { Dir.glob(patterns) }, -> { Dir.glob(patterns, base: ".") }, -> { Dir[*patterns] }].each do |ask|
          p ask.call
        rescue ArgumentError, EncodingError => e
          p [e.class, e.message]
        end
      end
    RUBY
    stock, ours = [[], ["-I", LIB, "-rfrugal/dir"]].map do |options|
      run_command(RUBY, "-W0", *options, "-e", script, chdir: tree).out
    end
    assert_equal stock, ours
  end

  # Ruby warns about "closed" and then raises at "circle": the drop-in must not call it a second time.
  def test_ruby_warns_once_and_raises
    script = <<~'RUBY'
      require "fileutils"
      require "tmpdir"
      Process::UID.change_privilege(65_534) if Process.uid.zero? # root may read every folder
      Dir.mktmpdir do |home|
        Dir.chdir(home) do
          Dir.mkdir("closed", 0)
          FileUtils.mkdir_p("open")
          FileUtils.touch("open/b.c")
          File.symlink("circle", "circle")
          [["**/*.c", "circle/*"], ["open/**/*.c", "[c]losed/*", "circle/*"],
           ["{**/*.c,circle/*.c}"]].each do |patterns|
            [-> { Dir.glob(patterns) }, -> { Dir[*patterns] },
             -> { Dir.glob(patterns) { |path| p path } }].each do |ask|
              p ask.call
            rescue SystemCallError => e
              p [e.class, e.message]
            end
          end
          File.chmod(0o700, "closed") # so that it can be removed
        end
      end
    RUBY
    stock, ours = [[], ["-I", LIB, "-rfrugal/dir"]].map do |options|
      run_command(RUBY, "-w", *options, "-e", script, chdir: "/")
        .then { |result| [result.out, result.err.gsub(/^\S*: warning: /, "")] }
    end
    assert_equal stock, ours
    assert_equal [9, 9], [stock.first.scan("ELOOP").size, stock.last.scan("closed").size]
  end

  # A folder: open, getdents twice, close. No stat.
  def test_cost
    10.times { |i| write("#{i}/a.c") && write("#{i}/.h/b.h") }
    require "frugal/walk/fast_glob"
    one = { "open" => 11, "getdents" => 22, "close" => 11 }
    all = one.transform_values { |count| count * 21 / 11 }
    { one => [["#{tree}/**/*.c"], ["**/*.{c,h}", { base: tree }], [%w[**/*.c **/*.h], { base: tree }]],
      all => [["#{tree}/**/*", { flags: File::FNM_DOTMATCH }]],
      { "open" => 1 } => [["nope/**/*.{c,h}", { base: tree }]] }.each do |calls, asks|
      asks.each do |pattern, options|
        bill = measure_cost { assert_kind_of Array, Frugal::Walk::FastGlob.paths(pattern, **options.to_h) }
        assert_equal calls, bill.syscalls.tally, pattern
        assert_empty bill.exceptions
      end
    end
  end

  # One open for each folder, and one lstat for a path. Stock needs an fstat, an fcntl and an lstat more.
  def test_cost_of_little
    %w[a/1.c a/2.c a/.h b/3.c].each { |name| write(name) }
    mkdir("empty")
    require "frugal/walk/fast_glob"
    { "a/1.c" => 1, "a/nope" => 1, "a/*.c" => 4, "empty/**/*.c" => 4, "a/**/*" => 4, "nope/**/*" => 1, "nope/*" => 1,
      "{a,empty,nope}/**/*.c" => 9 }.each do |pattern, calls|
      expected = Dir.glob("#{tree}/#{pattern}")
      bill = measure_cost { assert_equal expected, Frugal::Walk::FastGlob.below("#{tree}/#{pattern}", 0, nil, true) }
      assert_equal calls, bill.syscalls.size, pattern
    end
  end
end

# frozen_string_literal: true

require_relative "../test_helper"
require "fileutils"
require "tmpdir"

# The bytecode that `frugal run` keeps: what a program sees is the same with and without it, whatever happens to the
# files and to the cache, and what it costs.
class BootTest < Frugal::TestCase
  FRUGAL = "#{ROOT}/bin/frugal"
  SETTLED = 6.1 # seconds after which a file may be kept
  # So many that frugal begins, and what a program can see of a loaded file.
  FILLERS = 32
  SEEN = <<~'RUBY'
    module Seen
      class << self
        def call(one, (two, *three), *, key: 1, **, &block) = block
        def text = "straße #{__method__} \xff".b
        def raised = nil.upcase
      end
      A = [1..2, 3r, 4i, 1e300, /ä\d/x, :"odd name", "frozen".freeze, { a: [1] }, 2**70, ->(x, y = 2) { x }].freeze
    end
    $seen << [__FILE__, __FILE__.encoding, __dir__, __LINE__, __ENCODING__, caller_locations(0).first(2).map(&:to_s)]
    $seen << [caller_locations(0).first.absolute_path, Seen.method(:call).source_location, Seen.method(:call).parameters]
    $seen << [Seen.text, Seen::A.first(9), Seen::A.last.parameters, Seen::A.last.source_location, local_variables]
    begin
      Seen.raised
    rescue NoMethodError => e
      $seen << [e.full_message(highlight: false), e.backtrace.map { |line| line.sub(/:in.*/, "") }]
    end
    $seen << RubyVM::AbstractSyntaxTree.of(Seen.method(:raised)).type if RUBY_VERSION < "3.4"
    $seen << binding.local_variables << (eval("[__FILE__, __LINE__]"))
  RUBY
  LOUD = "def unused\n  left = 1\n  { a: 1, a: 2 }\nend\n$seen << :loud\n"
  PROGRAM = <<~'RUBY'
    $seen = []
    folder = ARGV.fetch(0)
    eval(ENV.fetch("BEFORE", ""))
    FILLERS.times { |i| require "#{folder}/filler#{i}" }
    (ARGV[1] || "seen").split(",").each { |name| require("#{folder}/#{name}") }
    $stdout.write($seen.inspect)
  RUBY

  def setup
    super
    skip "bytecode needs MRI and the C engine" unless Frugal::Native.engine_name == :c
  end

  def test_what_a_program_sees_is_the_same_with_bytecode
    tree = shared_program
    stock = run_command(RUBY, "main.rb", tree, chdir: tree)
    assert stock.success?, stock
    learn(tree)
    assert_includes FILLERS - 24..FILLERS - 21, kept_files, "all files but the first 24"
    kept = frugal("main.rb", tree, chdir: tree)
    assert_equal [stock.out, stock.err, stock.exitstatus], [kept.out, kept.err, kept.exitstatus]
    # error_highlight and AbstractSyntaxTree read it, too.
    assert_equal reads_of("seen.rb", tree, boot: "0") - 1, reads_of("seen.rb", tree), "its source was read"
  end

  def test_nothing_is_kept_by_a_program_that_runs_once_nor_where_it_is_off
    tree = shared_program
    assert frugal("main.rb", tree, boot: "0").success?
    refute_path_exists cache
    assert frugal("main.rb", tree).success?
    assert_equal 0, kept_files
    assert_equal 1, files.size, "the note of the program"
    assert run_command(FRUGAL, "run", "--no-boot", RUBY, "#{tree}/main.rb", tree, env: { "FRUGAL_BOOT" => cache }).success?
    assert_equal 1, files.size
  end

  # Same size, same mtime, same inode; replaced; moved away and back under another folder.
  def test_every_change_is_seen
    tree = program("seen" => "$seen << 11\n", "other" => "$seen << 33\n")
    learn(tree, "seen,other")
    time = File.mtime("#{tree}/seen.rb")
    File.write("#{tree}/seen.rb", "$seen << 22\n")
    File.utime(time, time, "#{tree}/seen.rb")
    assert_equal "[22, 33]", frugal("main.rb", tree, "seen,other").out
    File.rename("#{tree}/other.rb", "#{tree}/seen.rb")
    assert_equal "[33]", frugal("main.rb", tree).out
    File.write("#{tree}/seen.rb", "$seen << (\n")
    stock, broken = run_command(RUBY, "main.rb", tree, chdir: tree), frugal("main.rb", tree, chdir: tree)
    assert_equal [stock.err, 1], [broken.err, broken.exitstatus]
    File.unlink("#{tree}/seen.rb")
    assert_match(/cannot load such file/, frugal("main.rb", tree).err)
  end

  # The file and its path are the same, what `__dir__` is, is not.
  def test_a_symbolic_link_above_the_file_is_followed_each_time
    tree = program("seen" => "$seen << __dir__\n")
    symlink(tree, "link")
    learn(path("link"))
    assert_equal [tree].inspect, frugal("main.rb", path("link"), chdir: tree).out
    File.rename(tree, path("moved"))
    File.unlink(path("link"))
    symlink(path("moved"), "link")
    assert_equal [path("moved")].inspect, frugal("main.rb", path("link"), chdir: path("moved")).out
  end

  def test_a_file_that_is_changed_again_at_once_is_not_kept
    native = Frugal::Native.engine
    file = write("new.rb", "1\n")
    assert_nil native.kept_code(cache, file, "x")
    settle
    witness, = native.kept_code(cache, file, "x")
    script = silently { RubyVM::InstructionSequence.compile_file(file) }
    File.write(file, "2\n")
    refute native.keep_code(cache, file, "x", witness, "1\n", script)
    assert_empty files
  end

  def test_warnings_are_printed_each_time
    tree = shared_program
    learn(tree, "loud,quiet")
    [[], %w[-w], %w[-W0], %w[-W:no-deprecated]].each do |flags|
      stock, kept = run_command(RUBY, *flags, "main.rb", tree, "loud,quiet", chdir: tree), frugal(*flags, "main.rb", tree, "loud,quiet", chdir: tree)
      assert_equal [stock.out, stock.err], [kept.out, kept.err], flags.inspect
    end
    assert_equal 0, reads_of("quiet.rb", tree, "loud,quiet")
    assert_equal 1, reads_of("loud.rb", tree, "loud,quiet"), "a file with warnings is compiled each time, and once"
  end

  # Whatever is in the cache, the program is the same.
  def test_a_damaged_cache
    tree = shared_program
    stock = run_command(RUBY, "main.rb", tree, chdir: tree).out
    learn(tree)
    random = Random.new(4)
    damages = [->(bytes) { bytes[0, random.rand(bytes.size + 1)] }, ->(bytes) { flip(bytes, random) }, ->(_) { "" },
               ->(bytes) { "#{bytes}x" }, ->(bytes) { "\0" * bytes.size }]
    (QUICK ? 5 : 20).times do |i|
      files.each { |file| File.binwrite(file, damages[i % damages.size].call(File.binread(file))) }
      assert_equal stock, frugal("main.rb", tree, chdir: tree).out
    end
    learn(tree)
    assert_equal reads_of("seen.rb", tree, boot: "0") - 1, reads_of("seen.rb", tree), "damaged files are replaced"
  end

  def test_a_cache_of_somebody_else_is_not_used
    tree = shared_program
    learn(tree)
    files.each { |file| File.chmod(0o666, file) }
    assert_operator reads_of("seen.rb", tree), :>=, reads_of("seen.rb", tree, boot: "0"), "anybody can write to it"
  end

  def test_a_cache_that_cannot_be_written
    tree = shared_program
    stock = run_command(RUBY, "main.rb", tree, chdir: tree).out
    [write("file", ""), "/proc/none", "/dev/full", "#{path("file")}/below", "/#{"x" * 300}"].each do |folder|
      3.times { assert_equal stock, frugal("main.rb", tree, boot: folder, chdir: tree).out }
    end
  end

  # Debian's users that have no home have this one.
  def test_no_home_is_made
    tree = shared_program
    2.times { frugal("main.rb", tree, boot: nil, env: { "HOME" => path("nonexistent"), "XDG_CACHE_HOME" => nil }) }
    refute_path_exists path("nonexistent")
    2.times { frugal("main.rb", tree, boot: nil, env: { "HOME" => mkdir("home"), "XDG_CACHE_HOME" => nil }) }
    assert_equal [".cache"], Dir.children(path("home"))
  end

  # Where somebody wants more than bytecode has, Ruby compiles.
  def test_programs_that_want_the_source
    tree = shared_program
    learn(tree)
    { "coverage" => "require 'coverage'; Coverage.setup(:all); at_exit { puts Coverage.peek_result.inspect }",
      "running" => "require 'coverage'; Coverage.start; at_exit { puts Coverage.result.inspect }",
      "lines" => "SCRIPT_LINES__ = {}; at_exit { puts SCRIPT_LINES__.inspect }",
      "kept lines" => "RubyVM.keep_script_lines = true; at_exit { p RubyVM::InstructionSequence.of(Seen.method(:text)).script_lines }",
      "frozen" => "RubyVM::InstructionSequence.compile_option = { frozen_string_literal: true }; at_exit { p Seen.text.frozen? }",
      "own" => "class << RubyVM::InstructionSequence; def load_iseq(path) = (puts path; nil); end",
      "external" => "Encoding.default_external = 'ISO-8859-1'" }.each do |name, line|
      env = { "BEFORE" => line }
      stock, kept = run_command(RUBY, "main.rb", tree, chdir: tree, env: env), frugal("main.rb", tree, chdir: tree, env: env)
      assert_equal [stock.out, stock.err], [kept.out, kept.err], name
    end
  end

  # As Rails does when it is loaded. What a magic comment names depends on them.
  def test_default_encodings_that_the_program_sets
    tree = program("sets" => "eval(ENV.fetch('SET', ''))\n", "seen" => SEEN, "named" => "# zebra coding: external\n$seen << __ENCODING__\n")
    names = "sets,seen,named"
    set = { "SET" => "Encoding.default_external = 'ISO-8859-1'; Encoding.default_internal = 'UTF-8'" }
    learn(tree, names, env: set)
    outputs = [set, {}, {}, set].map do |env|
      stock, kept = run_command(RUBY, "main.rb", tree, names, chdir: tree, env: env), frugal("main.rb", tree, names, chdir: tree, env: env)
      assert_equal [stock.out, stock.err], [kept.out, kept.err], env
      stock.out[/#<Encoding:[^>]*>\]\z/]
    end
    assert_equal 2, outputs.uniq.size
    assert_equal 0, reads_of("named.rb", tree, names, env: set), "its bytecode was not used"
  end

  # Bytecode of each file of the standard library is what Ruby compiles it to.
  def test_the_instructions_are_those_of_stock
    files = Dir.glob("#{RbConfig::CONFIG["rubylibdir"]}/**/*.rb")
    files = files.each_slice(8).map(&:first) if QUICK
    compared = files.count do |file|
      script = silently { RubyVM::InstructionSequence.compile_file(file) }
      loaded = RubyVM::InstructionSequence.load_from_binary(script.to_binary)
      assert_equal without_hidden_names(script.to_a), without_hidden_names(loaded.to_a), file
    rescue SyntaxError # a template
      nil
    end
    assert_operator compared, :>, QUICK ? 60 : 500
  end

  def test_threads_forks_and_ractors
    tree = shared_program
    write("bin/main.rb", <<~RUBY)
      folder = ARGV.fetch(0)
      #{FILLERS}.times.map { |i| Thread.new { require "\#{folder}/filler\#{i}" } }.each(&:join)
      child = fork { $seen = []; require "\#{folder}/quiet"; exit!($seen == [:quiet] ? 0 : 1) }
      Process.wait(child)
      ractor = Ractor.new(folder) { |path| require "\#{path}/loud" rescue $!.class }
      ractor.respond_to?(:take) ? ractor.take : ractor.value
      print $?.exitstatus, $VERBOSE.inspect, Warning[:deprecated], $!.inspect
    RUBY
    outputs = Array.new(8) { frugal(path("bin/main.rb"), tree).out }
    assert_equal ["0falsefalsenil"], outputs.uniq
    assert_operator kept_files, :>, 0
  end

  def test_what_is_not_read_for_long_is_removed
    old, new = write("cache/00/old", ""), write("cache/ff/new", "")
    File.utime(0, 0, old)
    Frugal::Native.engine.sweep_code(cache, 60)
    assert_equal [new], files
    assert_nil Frugal::Native.engine.sweep_code(path("missing"), 60)
  end

  # Of each file after the first 24, stock reads the source; here its entry is read.
  def test_the_calls_of_a_file
    skip "strace is not installed" unless Cost::Strace.available?

    tree = shared_program
    learn(tree, "quiet")
    calls = trace(tree, "quiet")
    start = calls.rindex { |line| line.match?(/quiet\.rb.*O_NOCTTY/) }
    assert_equal %w[openat fstat readlink close openat fstat geteuid read close],
                 calls[start..].map { |line| line[/\A\w+/].to_s.sub("newfstatat", "fstat") }.grep_v(/mmap|munmap|brk/).first(9)
  end

  private

  def cache = path("cache")

  def files = Dir.glob("#{cache}/**/*").select { |file| File.file?(file) }

  def kept_files = files.count { |file| File.size(file).positive? }

  # @return [String] the folder of a program, whose files are old enough to be kept
  def program(files, folder = path("tree"))
    FileUtils.mkdir_p(folder)
    FILLERS.times { |i| File.write("#{folder}/filler#{i}.rb", "# #{i}\n") }
    files.each { |name, source| File.write("#{folder}/#{name}.rb", source) }
    File.write("#{folder}/main.rb", PROGRAM.sub("FILLERS", FILLERS.to_s))
    settle
    File.realpath(folder)
  end

  # The same for tests that change no file, so that they wait once.
  def shared_program
    @@shared_program ||= Dir.mktmpdir("frugal-boot").then do |folder| # rubocop:disable Style/ClassVars -- of no subclass
      Minitest.after_run { FileUtils.rm_rf(folder) }
      program({ "seen" => SEEN, "quiet" => "$seen << :quiet\n", "loud" => LOUD }, folder)
    end
  end

  # Waits until files may be kept. Where the times of a file prove nothing, as in a chroot, none ever is.
  def settle
    file = write("settled.rb", "1\n")
    sleep(SETTLED)
    skip "the times of this file system prove nothing" unless Frugal::Native.engine.kept_code(cache, file, "x")
  end

  def frugal(*argv, boot: cache, env: {}, **options)
    run_command(FRUGAL, "run", "--", RUBY, *expanded(argv, options), env: { "FRUGAL_BOOT" => boot, **env }, **options)
  end

  # @return [Array<String>] the program with its path, unless it runs in its folder
  def expanded(argv, options)
    return argv if options[:chdir]

    folder = argv.find { |one| File.directory?(one) }
    argv.map { |one| one == "main.rb" ? "#{folder}/main.rb" : one }
  end

  # Runs a program until all that may be kept is kept.
  def learn(tree, *names, env: {})
    counts = []
    12.times do
      result = frugal("main.rb", tree, *names, chdir: File.realpath(tree), env: env)
      assert result.success?, result
      break if (counts << kept_files).last(4).uniq.size == 1 && counts.size > 4
    end
  end

  def trace(tree, *names, boot: cache, env: {})
    run_command("strace", "-f", "-s", "200", "-o", path("trace"), FRUGAL, "run", "--", RUBY, "main.rb", tree, *names,
                chdir: tree, env: { "FRUGAL_BOOT" => boot, **env })
    File.readlines(path("trace")).map { |line| line.sub(/\A\d+ +/, "") }
  end

  # @return [Integer] how often the content of a source was read
  def reads_of(name, tree, *names, **settings)
    skip "strace is not installed" unless Cost::Strace.available?

    source = File.binread("#{tree}/#{name}")[0, 12].dump[1..-2]
    trace(tree, *names, **settings).count { |line| line.match?(/\A(?:read|pread64)\(\d+, "#{Regexp.escape(source)}/) }
  end

  def flip(bytes, random)
    at = random.rand(bytes.size + 1)
    at == bytes.size ? "" : bytes.dup.tap { |other| other.setbyte(at, bytes.getbyte(at) ^ 1) }
  end

  def silently
    verbose, $VERBOSE = $VERBOSE, nil
    yield
  ensure
    $VERBOSE = verbose
  end

  # Names of variables that no program can name: Ruby writes them as numbers, and does not keep them.
  def without_hidden_names(code)
    return code unless code.is_a?(Array)

    names = 10 if code[0] == "YARVInstructionSequence/SimpleDataFormat"
    code.map.with_index { |one, i| i == names ? one.size : without_hidden_names(one) }
  end
end
